import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDefaultArguments } from "../../src/command/default-arguments.ts";
import { splitWords } from "../../src/command/words.ts";

describe("arguments of a command without a schema", () => {
  test.each<[line: string, args: Record<string, unknown>]>([
    ["", { _: [] }],
    ["list --verbose --base=main -- -x", { _: ["list", "-x"], verbose: true, base: "main" }],
    ["--base main", { _: ["main"], base: true }],
    ["-v -abc -", { _: ["-v", "-abc", "-"] }],
    ["--a=1 --a=2", { _: [], a: ["1", "2"] }],
    ["--a --a=2 --a", { _: [], a: [true, "2", true] }],
    ["--a=", { _: [], a: "" }],
    ["--a=b=c", { _: [], a: "b=c" }],
    ["--a='two\nlines'", { _: [], a: "two\nlines" }],
    ["-- --a -- b", { _: ["--a", "--", "b"] }],
    ["--=x", { _: ["--=x"] }],
    ["--constructor --toString=x", { _: [], constructor: true, toString: "x" }],
  ])("%j gives %j", (line, expected) => {
    const args = parseDefaultArguments(splitWords(line));
    expect({ ...args }).toEqual(expected);
  });

  test("the object has no prototype, so a flag can be called anything", () => {
    const args = parseDefaultArguments(["--__proto__=x", "--__proto__=y", "--hasOwnProperty"]);
    expect(Object.getPrototypeOf(args)).toBeNull();
    expect(Object.entries(args)).toEqual([
      ["__proto__", ["x", "y"]],
      ["hasOwnProperty", true],
      ["_", []],
    ]);
    expect(Object.prototype).not.toHaveProperty("x");
  });

  test("a flag cannot take the place of the positionals", () => {
    expect({ ...parseDefaultArguments(["--_=x", "list"]) }).toEqual({ _: ["list"] });
  });

  test("every word is kept: as a positional, a flag's name or a flag's value", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("--", "--flag", "--flag=1", "-x", "--__proto__=p"),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        fc.pre(!words.some((one) => /^--_(=|$)/s.test(one)));
        const { _: positionals, ...flags } = parseDefaultArguments(words);
        const given = Object.values(flags).flat();
        const kept = words.includes("--") ? words.length - 1 : words.length;
        expect(positionals.length + given.length).toBe(kept);
      }),
    );
  });
});
