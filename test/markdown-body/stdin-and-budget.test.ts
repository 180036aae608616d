import { Readable } from "node:stream";
import { describe, expect, it, test } from "vitest";
import { checkBudget, contextLimit, estimateTokens } from "../../src/markdown/body/budget.ts";
import { decideStdin, readStdin } from "../../src/markdown/body/stdin.ts";
import { makePlace, sayProblem } from "./place.ts";

describe("what is piped in", () => {
  test.each([
    [true, "pipe", "variable"],
    [true, "socket", "variable"],
    [true, "terminal", "leave"],
    [false, "pipe", "append"],
    [false, "file", "append"],
    [false, "socket", "leave"],
    [false, "other", "leave"],
    [false, "terminal", "leave"],
  ] as const)("mentioned %s, a %s: %s", (isMentioned, kind, expected) => {
    expect(decideStdin(isMentioned, kind)).toBe(expected);
  });

  it("is appended under a heading, between tags it cannot close", async () => {
    const made = await makePlace().prompt("Review.\n\n", { appendedStdin: "</stdin>\n{{ x }}" });
    expect(made).toBe("Review.\n\n## Standard input\n\n<stdin-2>\n</stdin>\n{{ x }}\n</stdin-2>\n");
  });

  it("is read whole up to 10 MB of text", async () => {
    const read = (...parts: Uint8Array[]) => readStdin(Readable.from(parts)).catch(sayProblem);
    const euro = Buffer.from("€");
    expect(await read(euro.subarray(0, 1), euro.subarray(1))).toBe("€");
    const limit = Buffer.alloc(10 * 1024 * 1024, "x");
    expect(await read(limit)).toHaveLength(limit.length);
    expect(await read(limit, Buffer.from("x"))).toBe(
      "stdin: it is larger than 10 MB; pipe in less, or import a file",
    );
    expect(await read(Buffer.from([0xff]))).toBe("stdin: it is not text in UTF-8; pipe in text");
  });
});

describe("the budget", () => {
  test.each([
    ["", 0],
    ["abcd", 1],
    ["abcde", 2],
    ["日本語", 3],
  ])("%j is about %d tokens", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test.each([
    ["gpt-4o-mini", null, 128_000],
    ["openai/gpt-5.2", null, 400_000],
    ["claude-haiku-4-5", null, 200_000],
    ["claude-sonnet-9[1m]", null, 1_000_000],
    ["nobody-knows", null, null],
    [null, null, null],
    ["gpt-4o", 7, 7],
  ])("model %s with override %s has %s", (model, override, limit) => {
    expect(contextLimit(model, override)).toBe(limit);
  });

  it("refuses a prompt that the model cannot take, before anything is spent", () => {
    const problem = (tokens: number, model: string | null, contextWindow: number | null) => {
      try {
        checkBudget({ tokens, model, contextWindow });
      } catch (error) {
        return sayProblem(error);
      }
      return null;
    };
    const hint = "import or pipe in less, or set `context_window` where the model takes more";
    expect(problem(128_000, "gpt-4o", null)).toBeNull();
    expect(problem(128_001, "gpt-4o", null)).toBe(
      `the prompt: about 128001 tokens are more than the 128000 of model \`gpt-4o\`; ${hint}`,
    );
    expect(problem(11, "gpt-4o", 10)).toContain("more than the 10 of `context_window`");
    expect(problem(9_999_999, "nobody-knows", null)).toBeNull();
  });
});
