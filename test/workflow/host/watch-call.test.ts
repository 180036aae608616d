import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import type { Turn, TurnStatus } from "../../../src/core/store/turn-row.ts";
import type { AgentEffect } from "../../../src/workflow/engine/effect.ts";
import { watchTurn } from "../../../src/workflow/host/watch-call.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

const turn = (status: TurnStatus, more: Partial<Turn> = {}): Turn => ({
  ...{ id: "t1", sessionId: "s", number: 1, status, prompt: "", answer: null },
  options: { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null },
  ...{ agent: null, model: null, runId: null, conversation: null, problem: null, owner: null },
  ...{ queuedAt: "", startedAt: null, endedAt: null },
  ...more,
});

function openWatch(timeoutMs: number | null) {
  const state = openState(temporaryFolder());
  onTestFinished(() => state.close());
  const told: (string | null)[] = [];
  const note = (text: string | null) => void told.push(text);
  const { signal } = new AbortController();
  const effect: AgentEffect = {
    kind: "agent",
    ...{ prompt: "", label: null, phase: null, agent: null, model: null },
    ...{ effort: null, schema: null, isolation: null, agentType: null, timeoutMs },
    ...{ maxUsd: null, stage: null },
    conversation: "fresh",
  };
  const call = { effect, signal, onConversation: note, onRun: note, onWaiting: note };
  const watch = watchTurn(state.questions, call);
  onTestFinished(() => watch.close());
  return { watch, told, questions: state.questions };
}

describe("the time of a call", () => {
  test("runs out while its turn runs", async () => {
    const { watch } = openWatch(1);
    watch.onTurn(turn("queued"));
    expect(watch.isTimedOut).toBe(false);
    watch.onTurn(turn("running"));
    await waitUntil(() => watch.isTimedOut);
    expect(watch.signal.aborted).toBe(true);
  });

  test("does not run while a person is waited for", async () => {
    const { watch } = openWatch(60_000);
    const other = openWatch(1).watch;
    watch.onTurn(turn("running"));
    watch.onTurn(turn("waiting"));
    other.onTurn(turn("running"));
    other.onTurn(turn("waiting"));
    // The other limit is long over by then, had it gone on.
    const begun = performance.now();
    await waitUntil(() => performance.now() - begun > 20);
    expect(other.isTimedOut).toBe(false);
    other.onTurn(turn("running"));
    await waitUntil(() => other.isTimedOut);
    expect(watch.isTimedOut).toBe(false);
  });
});

test("everything of a turn is told once, and which question it waits for", () => {
  const { watch, told, questions } = openWatch(null);
  const asked = {
    id: "q1",
    sessionId: "s",
    turnId: "t1",
    kind: "approval",
    text: "run it?",
  } as const;
  questions.ask({ ...asked, details: {}, choices: [], fallback: null, deadlineAt: null });
  watch.onTurn(turn("running", { runId: "r1" }));
  watch.onTurn(turn("running", { runId: "r1", conversation: "c1" }));
  watch.onTurn(turn("waiting", { runId: "r1", conversation: "c1" }));
  watch.onTurn(turn("waiting", { runId: "r1", conversation: "c1" }));
  watch.onTurn(turn("running", { runId: "r1", conversation: "c1" }));
  expect(told).toEqual(["r1", "c1", "a person must answer q1: run it?", null]);
});
