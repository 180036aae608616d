import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import { waitForAnswer } from "../../../src/core/store/wait-for-answer.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startFixture } from "./fixture-process.ts";

function openLab() {
  const stateDir = temporaryFolder();
  const { questions, close } = openState(stateDir);
  onTestFinished(close);
  const ask = (deadlineAt: string | null = null) =>
    questions.ask({
      ...{ id: "q1", sessionId: "s1", turnId: null, kind: "confirm", text: "?" },
      ...{ details: {}, choices: [], fallback: false, deadlineAt },
    } as const);
  return { stateDir, questions, ask, stop: new AbortController() };
}

describe("whoever waits for an answer", () => {
  test("gets the first one, and nobody's when it is late", async () => {
    const { questions, ask, stop } = openLab();
    ask();
    const waiting = waitForAnswer(questions, "q1", stop.signal);
    expect(questions.answer("q1", true, "shell")).toBe(true);
    expect(questions.answer("q1", false, "web")).toBe(false);
    expect(await waiting).toBe(true);
    const late = openLab();
    late.ask(new Date(Date.now() + 50).toISOString());
    expect(await waitForAnswer(late.questions, "q1", late.stop.signal)).toBeNull();
    expect(late.questions.read("q1")?.status).toBe("expired");
  });

  test("takes the question back when it gives up", async () => {
    const { questions, ask, stop } = openLab();
    ask();
    const waiting = waitForAnswer(questions, "q1", stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
    expect(questions.read("q1")?.status).toBe("closed");
  });

  test("leaves it to another process that took it over", async () => {
    const { stateDir, questions, ask, stop } = openLab();
    ask();
    const waiting = waitForAnswer(questions, "q1", stop.signal);
    const other = startFixture("adopt-question.ts", { args: [stateDir, "q1"] });
    expect(await other.nextLine()).toBe("true");
    stop.abort();
    expect(await waiting).toBeNull();
    expect(questions.read("q1")?.status).toBe("open");
    // The asker that counts is the one that took it over: when it dies the question closes.
    expect(questions.closeLost(new Date().toISOString())).toEqual([]);
    other.child.kill("SIGKILL");
    await other.ended;
    expect(questions.closeLost(new Date().toISOString())).toHaveLength(1);
  });
});
