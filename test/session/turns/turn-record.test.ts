import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  answerDelta,
  assistantMessage,
  finalEvent,
  type LogEvent,
} from "../../../src/agents/log/event.ts";
import { requireAdapter } from "../../../src/agents/roster.ts";
import { eventsFile, TurnRecord } from "../../../src/session/turns/turn-record.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KEY = `sk-ant-api03-${"Ab1".repeat(31)}`;
const BLOCK = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQ".repeat(12)}\n-----END PRIVATE KEY-----`;

async function openRecord() {
  const logDir = temporaryFolder();
  const shown: [offset: number, kind: string][] = [];
  const record = new TurnRecord({
    adapter: await requireAdapter("replay"),
    agentVersion: null,
    runId: "r1",
    logDir,
    workspaceDir: logDir,
    prompt: `my key is ${KEY}`,
    model: null,
    secrets: ["a value of the environment"],
    onBroken: () => undefined,
    show: (offset, { kind }) => shown.push([offset, kind]),
  });
  const lines = (): LogEvent[] =>
    readFileSync(eventsFile(logDir), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { record, shown, lines, logDir };
}

test("every event is in the file when it is shown", async () => {
  const { record, shown, lines } = await openRecord();
  record.add(assistantMessage("one"));
  record.add(assistantMessage("two"));
  expect(shown.map(([offset]) => offset)).toEqual([1, 2]);
  expect(lines().map(({ kind }) => kind)).toEqual(["message", "message"]);
});

test.each([
  ["a key", KEY],
  ["a block of lines", BLOCK],
])("%s that comes in pieces is in no file", async (_, secret) => {
  const { record, lines, logDir } = await openRecord();
  for (let at = 0; at < secret.length; at += 7) record.add(answerDelta(secret.slice(at, at + 7)));
  record.add(answerDelta(" and so on"));
  record.add(finalEvent({ isSuccess: true }));
  const log = record.conclude({ kind: "ended" });
  const text = lines().flatMap((event) => (event.kind === "delta" ? [event.text] : []));
  expect(text.join("")).toContain("and so on");
  const kept =
    readFileSync(eventsFile(logDir), "utf8") + readFileSync(`${logDir}/log.json`, "utf8");
  for (const piece of [KEY.slice(20, 40), "MIIEvQMIIEvQ"]) expect(kept).not.toContain(piece);
  expect(log.execution).toMatchObject({ status: "success", exit_code: null });
});

test.each([
  [{ kind: "cancelled" } as const, "cancelled", "REPLAY_CANCELLED"],
  [{ kind: "lost", problem: "it was killed" } as const, "failed", "REPLAY_ABORTED"],
  [{ kind: "ended" } as const, "failed", undefined],
])("a turn that ended as %j is %s", async (ending, status, code) => {
  const { record } = await openRecord();
  const log = record.conclude(ending);
  expect([log.execution.status, log.errors[0]?.code]).toEqual([status, code]);
});
