import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinWords, quoteWord, splitWords } from "../../../src/core/command/words.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { inTier } from "../../support/tier.ts";
import { catchFault } from "./catch-fault.ts";

/** What a real shell makes of the line; the line must hold no expansion, operator or comment. */
function splitByShell(line: string): string[] {
  const script = `set -- ${line}\nfor word do printf '%s\\0' "$word"; done`;
  const bytes = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return bytes.split("\0").slice(0, -1);
}

describe("splitting a line", () => {
  test.each<[line: string, words: string[]]>([
    ["", []],
    [" \t ", []],
    ["deploy prod", ["deploy", "prod"]],
    ["  deploy\t\tprod  ", ["deploy", "prod"]],
    ["a 'b c' d", ["a", "b c", "d"]],
    ['a "b c" d', ["a", "b c", "d"]],
    ["a b\\ c", ["a", "b c"]],
    ["''", [""]],
    ['a "" b', ["a", "", "b"]],
    ["a''b", ["ab"]],
    [`--x='a b'"c d"e`, ["--x=a bc de"]],
    [`'it'\\''s'`, ["it's"]],
    ["'a\\b'", ["a\\b"]],
    ['"a\\b"', ["a\\b"]],
    ['"\\"\\\\\\$\\`"', ['"\\$`']],
    ["\\a\\'\\\"", ["a'\""]],
    ["'two\nlines'", ["two\nlines"]],
    ["one\\\ntwo", ["onetwo"]],
    ["one \\\n two", ["one", "two"]],
    ['"one\\\ntwo"', ["onetwo"]],
    ["no\u00a0break 日本 😀", ["no\u00a0break", "日本", "😀"]],
    ["a\rb", ["a\rb"]],
  ])("%j gives %j, as in a shell", (line, words) => {
    expect(splitWords(line)).toEqual(words);
    expect(splitByShell(line)).toEqual(words);
  });

  test("nothing is expanded", () => {
    expect(splitWords("$HOME ~ *.ts `id` $(id) {a,b}")).toEqual(
      "$HOME ~ *.ts `id` $(id) {a,b}".split(" "),
    );
  });

  test.each<[line: string, column: number, message: string]>([
    ["'abc", 1, "unclosed single quote opened at column 1"],
    ['say "abc', 5, "unclosed double quote opened at column 5"],
    ["a 'b' 'c", 7, "unclosed single quote opened at column 7"],
    ['a "it\'s" "', 10, "unclosed double quote opened at column 10"],
    ['"a\\"', 1, "unclosed double quote opened at column 1"],
    ["a b\\", 4, "unclosed backslash opened at column 4"],
  ])("%j is a usage error at column %i", (line, column, message) => {
    const raised = catchFault(() => splitWords(line));
    expect(raised).toMatchObject({ class: "Usage", code: "QuoteUnclosed", exitCode: 2 });
    expect(raised.facts).toMatchObject({ column });
    expect(raised.message).toBe(message);
    expect(raised.hint).not.toBeNull();
  });
});

const LETTERS = [..."abcXYZ019_@%+:,./=-^", "é", "日", "😀"];
const text = (extra: string) =>
  fc.string({ unit: fc.constantFrom(...LETTERS, ...extra), maxLength: 6 });

/** Pieces a shell and we must read alike; backslash in double quotes only before what it escapes. */
const piece = fc.oneof(
  text(""),
  fc.constantFrom(" ", "\t", "  "),
  text(' \t\n"\\$`*#~;&|').map((inside) => `'${inside}'`),
  text(" \t\n'*#~;&|").map((inside) => `"${inside}"`),
  fc.constantFrom('"\\\\"', '"\\""', '"\\$x"', '"\\`"', '"\\a"', '"a\\\nb"'),
  fc.constantFrom(" ", "'", '"', "\\", "$", "#", "*", "\n", "a").map((char) => `\\${char}`),
);

test("any line without expansions is split as the shell splits it", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join("");
      expect(splitWords(line)).toEqual(splitByShell(line));
    }),
    { numRuns: inTier(100, 300) },
  );
});

describe("quoting words", () => {
  test.each([
    ["", "''"],
    ["plain-word_1.2/x:y,z=@%+", "plain-word_1.2/x:y,z=@%+"],
    ["two words", "'two words'"],
    ["it's", "'it'\\''s'"],
    ["$HOME", "'$HOME'"],
    ["#no", "'#no'"],
    ["~", "'~'"],
    ["a\nb", "'a\nb'"],
  ])("%j is written %j", (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });

  test("any words come back unchanged from our own splitting", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), (words) => {
        expect(splitWords(joinWords(words))).toEqual(words);
      }),
    );
  });

  test("any words come back unchanged from a shell", () => {
    const unit = fc.constantFrom(...LETTERS, ..." \t\n'\"\\$`*?[]{}()<>|&;#~!");
    const word = fc.string({ unit, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(splitByShell(joinWords(words))).toEqual(words);
      }),
      { numRuns: inTier(50, 100) },
    );
  });
});
