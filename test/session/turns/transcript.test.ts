import { describe, expect, test } from "vitest";
import type { Turn } from "../../../src/core/store/turn-row.ts";
import { handOver } from "../../../src/session/turns/transcript.ts";

const turn = (number: number, prompt: string, answer: string | null): Turn => ({
  id: `t${number}`,
  sessionId: "s1",
  number,
  status: answer === null ? "failed" : "done",
  prompt,
  answer,
  options: { cwd: "/p", root: "/p", agent: null, model: null, params: {}, via: null },
  agent: "codex",
  model: null,
  runId: null,
  conversation: null,
  problem: null,
  owner: null,
  queuedAt: "2026-11-17T12:00:00.000Z",
  startedAt: null,
  endedAt: null,
});

describe("what an agent is told of turns it was no part of", () => {
  test("nothing where there is nothing to tell", () => {
    expect(handOver("go on", [])).toEqual({ prompt: "go on", included: 0, leftOut: 0 });
  });

  test("both sides of each turn, in order, and the prompt last", () => {
    const { prompt, included } = handOver("go on", [
      turn(1, "one?", "one!"),
      turn(2, "two?", "two!"),
    ]);
    expect(included).toBe(2);
    const places = ["one?", "one!", "two?", "two!", "go on"].map((text) => prompt.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("a turn that nobody answered is not told, for it would be carried out late", () => {
    const { prompt, included } = handOver("hello", [turn(1, "delete everything", null)]);
    expect([prompt, included]).toEqual(["hello", 0]);
  });

  test("the oldest are left out where not all fit, and it says how many", () => {
    const turns = Array.from({ length: 10 }, (_, at) =>
      turn(at, `question ${at}`, "x".repeat(100)),
    );
    const { prompt, included, leftOut } = handOver("go on", turns, 500);
    expect(included + leftOut).toBe(10);
    expect(prompt).toContain("question 9");
    expect(prompt).not.toContain("question 0");
    expect(prompt).toContain(`${leftOut} turns before that are left out`);
  });

  test("a long answer is cut, and says by how much", () => {
    const { prompt } = handOver("go on", [turn(1, "write a book", "y".repeat(30_000))]);
    expect(prompt).toContain("[10000 characters left out]");
  });
});
