import { expect, test } from "vitest";
import { type ActivityView, decideActivity } from "../../../src/workflow/engine/activity.ts";
import {
  exitCodeOf,
  takeCensus,
  type WorkflowEnding,
} from "../../../src/workflow/engine/census.ts";

const QUIET: ActivityView = { isPaused: false, underWay: 0, standing: [], queued: [] };
const noon = Date.parse("2026-11-17T12:00:00Z");
const [quota, person] = [
  { why: "the quota of `claude` is used up", until: noon },
  { why: "a person must answer", until: null },
];

test.each<[what: string, view: Partial<ActivityView>, status: string]>([
  ["computes", {}, "running null null"],
  ["has a call under way", { underWay: 1, queued: [quota] }, "running null null"],
  [
    "has a call under way beside a question",
    { underWay: 2, standing: [person] },
    "running null null",
  ],
  ["waits for a person", { underWay: 1, standing: [person] }, "waiting a person must answer null"],
  [
    "waits for a quota and a person",
    { underWay: 1, standing: [person], queued: [quota] },
    "waiting a person must answer; the quota of `claude` is used up 2026-11-17T12:00:00.000Z",
  ],
  ["is paused", { isPaused: true, underWay: 1 }, "paused somebody paused it null"],
])("a run that %s is %s", (_, view, expected) => {
  const { status, reason, waitingUntil } = decideActivity({ ...QUIET, ...view });
  expect(`${status} ${reason} ${waitingUntil}`).toBe(expected);
});

const totals = { calls: 3, done: 3, failed: 0, skipped: 0, running: 0, inputTokens: 0 };
const rest = { outputTokens: 0, costUsd: 0, statedUsd: 0 };
const census = takeCensus({ ...totals, ...rest }, []);

test.each<[what: string, ending: WorkflowEnding, code: number]>([
  ["all is done", { kind: "done", result: 1, census }, 0],
  ["a call failed", { kind: "done", result: 1, census: { ...census, failed: 1 } }, 1],
  ["a call was skipped", { kind: "done", result: 1, census: { ...census, skipped: 1 } }, 1],
  ["a command failed", { kind: "done", result: 1, census: { ...census, otherFailed: 1 } }, 1],
  ["the script threw", { kind: "failed", reason: "x", census }, 1],
  ["it was stopped", { kind: "stopped", reason: "budget: x", census }, 3],
  ["its process left it", { kind: "left", reason: "x", census }, 3],
])("where %s the exit code says so", (_, ending, code) => {
  expect(exitCodeOf(ending)).toBe(code);
});

test("a census names what was started again and what failed beside calls", () => {
  const entry = { kind: "ask", status: "failed", number: 1, starts: 1 } as const;
  const call = { kind: "agent", status: "done", number: 2, starts: 3 } as const;
  expect(takeCensus({ ...totals, ...rest }, [entry, call])).toMatchObject({
    otherFailed: 1,
    startedAgain: [{ number: 2, starts: 3 }],
  });
});
