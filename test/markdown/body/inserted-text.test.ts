import { describe, expect, it, test } from "vitest";
import { checkBudget, contextLimit, estimateTokens } from "../../../src/markdown/body/assemble.ts";
import { decideStdin, decodeStdin } from "../../../src/markdown/body/inserted-text.ts";
import { makePlace, sayProblem } from "./body-context.ts";

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

  it("is text of up to 10 MB", () => {
    const decode = (bytes: Uint8Array) => {
      try {
        return decodeStdin(bytes);
      } catch (error) {
        return sayProblem(error);
      }
    };
    expect(decode(Buffer.from("€"))).toBe("€");
    const limit = Buffer.alloc(10 * 1024 * 1024, "x");
    expect(decode(limit)).toHaveLength(limit.length);
    expect(decode(Buffer.concat([limit, Buffer.from("x")]))).toBe(
      "stdin: it is larger than 10 MB; pipe in less, or import a file",
    );
    expect(decode(Buffer.from([0xff]))).toBe("stdin: it is not text in UTF-8; pipe in text");
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
