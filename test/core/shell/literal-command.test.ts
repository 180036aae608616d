import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProcess } from "../../../src/core/process/run.ts";
import { mentionedCommands } from "../../../src/core/shell/analyze-line.ts";
import { readLiteralCommand } from "../../../src/core/shell/literal-command.ts";
import { SHELLS } from "../../support/shells.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

describe("one command of fixed words", () => {
  it.each<[string, string[]]>([
    ["adj-branch list --verbose", ["adj-branch", "list", "--verbose"]],
    ["  adj-x\ta  ", ["adj-x", "a"]],
    ["adj-x 'a b' \"c d\" e\\ f", ["adj-x", "a b", "c d", "e f"]],
    ["adj-x ''", ["adj-x", ""]],
    ["adj-x a''b\"c\"", ["adj-x", "abc"]],
    ["adj-x '$HOME' '*' '~' '{a,b}'", ["adj-x", "$HOME", "*", "~", "{a,b}"]],
    ['adj-x "\\$x \\" \\n"', ["adj-x", '$x " \\n']],
    ["adj-x key=value", ["adj-x", "key=value"]],
    ["adj-x 'two\nlines'", ["adj-x", "two\nlines"]],
    ["adj-x a # a comment", ["adj-x", "a"]],
    ["# a comment\nadj-x\n", ["adj-x"]],
    ["adj-x größe", ["adj-x", "größe"]],
  ])("%j", (line, words) => {
    expect(readLiteralCommand(line)).toEqual({ kind: "literal", words });
  });
});

describe("anything else", () => {
  it.each([
    ...["", "#", "adj-x | cat", "adj-x && ls", "adj-x; ls", "adj-x &", "! adj-x", "(adj-x)"],
    ...["adj-x $a", 'adj-x "$a"', "adj-x $(ls)", "adj-x `ls`", "adj-x *", "adj-x a?", "adj-x [a]"],
    ...["adj-x ~", "adj-x a=~", "adj-x {a,b}", "adj-x > f", "adj-x 2>&1", "adj-x < f", "A=1 adj-x"],
    ...["adj-x <<E\nE", "adj-x <<< a", "adj-x\nls", "time adj-x", "adj-x =ls", "adj-x $'a'"],
    ...["adj-x 'a", 'adj-x "a', "adj-x <(ls)", "adj-x @(a)", "if adj-x; then b; fi", "adj-x a\\"],
    ...[
      'adj-x $"a"',
      "adj-x a^b",
      "adj-x a#b",
      "adj-x !x",
      "adj-x a\0b",
      "{ adj-x; }",
      "adj-x (a)",
    ],
  ])("%j", (line) => {
    expect(readLiteralCommand(line)).toEqual({ kind: "other" });
  });
});

describe("the words are those the shells see", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "adj-words-"));
  });
  afterAll(() => removeFolder(folder));

  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."abz019_-./:=%+,@") }),
    fc.string({ unit: fc.constantFrom(..."ab '\"\\$`~*?[]{}!#&|;<>()=^\n\té") }),
    fc.string().map((text) => `'${text.replaceAll("'", "'\\''")}'`),
    fc.string().map((text) => `"${text.replace(/["\\$`]/g, "\\$&")}"`),
    fc.string({ unit: fc.constantFrom(..."ab$\\\"'` ") }).map((text) => `"${text}"`),
    fc.constantFrom("\\ ", "\\*", "\\\\", "\\'", " ", "\t", "''", '""', "\\\n", "\\~", "\\$"),
  );
  const lines = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => `show ${pieces.join("")}`)
    .filter((line) => !line.includes("\0"));

  async function wordsIn(shell: string, script: string): Promise<string[][]> {
    const file = join(folder, "script");
    writeFileSync(file, script);
    const args = shell === "zsh" ? ["-f", file] : [file];
    const env = { PATH: "/nowhere", LC_ALL: "C.UTF-8" };
    const ending = await runProcess({ executable: `/bin/${shell}`, args, env, cwd: folder });
    expect(new TextDecoder().decode(ending.stderr)).toBe("");
    const calls = new TextDecoder().decode(ending.stdout).split("\0\0END\0");
    return calls.slice(0, -1).map((call) => call.split("\0").slice(1));
  }

  it.each(SHELLS)("in %s, over generated lines", async (shell) => {
    const literal = fc.sample(lines, { numRuns: 4_000, seed: 7 }).flatMap((line) => {
      const reading = readLiteralCommand(line);
      return reading.kind === "literal" ? [{ line, words: reading.words.slice(1) }] : [];
    });
    expect(literal.length).toBeGreaterThan(300);
    const show = `show() { for word in "$@"; do printf '\\0%s' "$word"; done; printf '\\0\\0END\\0'; }`;
    const script = [show, ...literal.map(({ line }) => line), ""].join("\n");
    expect(await wordsIn(shell, script)).toEqual(literal.map(({ words }) => words));
  });
});

describe("commands that a line mentions", () => {
  it.each<[string, string[]]>([
    ["adj-x | wc -l", ["adj-x"]],
    ["ls; adj-a && adj-b; adj-a", ["adj-a", "adj-b"]],
    ["echo adj-x", []],
    ["ls | xargs adj-x", ["adj-x"]],
    ["echo $(adj-x)", ["adj-x"]],
    ["sudo env A=1 adj-x", ["adj-x"]],
    ["bash -c 'adj-x'", ["adj-x"]],
    ["/opt/adj-x", []],
    ["adj-x 'open", ["adj-x"]],
  ])("%j", (line, expected) => {
    expect(mentionedCommands(line, (word) => word.startsWith("adj-"))).toEqual(expected);
  });
});
