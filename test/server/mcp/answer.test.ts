import { describe, expect, test } from "vitest";
import type { CallOutcome, CallView } from "../../../src/server/calls/command-call.ts";
import { answerCall, cut } from "../../../src/server/mcp/answer.ts";

const OUTCOME: CallOutcome = {
  ...{ kind: "ok", exitCode: 0, output: "", errorOutput: "", metadata: null, error: null },
};

const ended = (outcome: Partial<CallOutcome>): CallView => ({
  ...{ id: "c0123456789ab", name: "say", status: "done", question: null, progress: null, steps: 0 },
  outcome: { ...OUTCOME, ...outcome },
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("an answer is below 16 KB as it is sent", () => {
  test.each([
    ["lines", "\n"],
    ["quotes", '"'],
    ["colours", "\u001b[31m"],
    ["zeros", "\u0000"],
    ["other scripts", "漢"],
    ["pairs", "👍"],
    ["halves of pairs", "\ud83d"],
  ])("whatever it is made of: %s", (_, piece) => {
    const much = piece.repeat(40_000);
    const failed = { code: "X", message: much, hint: much };
    const metadata = { much: piece.repeat(80) };
    const view = ended({
      kind: "failed",
      output: much,
      errorOutput: much,
      metadata,
      error: failed,
    });
    expect(bytesOf(answerCall(view))).toBeLessThan(16_000);
  });

  test("and short ones are whole, in both forms", () => {
    const metadata = { count: 3 };
    const { content, structuredContent } = answerCall(ended({ output: "ab\n", metadata }));
    expect(content).toEqual([{ type: "text", text: 'ab\n\ndata: {"count":3}' }]);
    expect(structuredContent).toMatchObject({ output: "ab\n", data: metadata });
  });
});

describe("what is cut", () => {
  test("keeps how it began and how it ended, and says how much is gone", () => {
    const text = `begin${"x".repeat(1_000)}end`;
    const [head = "", words, tail = ""] = cut(text, 200).split("\n");
    expect(head.startsWith("begin")).toBe(true);
    expect(tail.endsWith("end")).toBe(true);
    expect(words).toBe(`… ${text.length - head.length - tail.length} characters left out …`);
  });

  test("never tears a character apart", () => {
    for (let most = 100; most < 130; most++)
      expect(cut("👍".repeat(300), most).isWellFormed()).toBe(true);
  });
});
