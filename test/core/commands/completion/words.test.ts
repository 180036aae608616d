import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ArgumentsSchema } from "../../../../src/core/command/definition.ts";
import {
  type CommandLookup,
  completeWords,
  rejoinWords,
} from "../../../../src/core/commands/completion/words.ts";
import { SUMMARY_DEFAULTS } from "../../../../src/core/load/summary.ts";

const SCHEMAS: Readonly<Record<string, ArgumentsSchema | null>> = {
  deploy: {
    properties: {
      target: { type: "string", positional: 0, enum: ["dev", "prod"] },
      files: { type: "array", positional: "rest", items: { type: "string" }, file: true },
      mode: { type: "string", short: "m", enum: ["ask", "auto"] },
      label: { type: "array", items: { type: "string" } },
      force: { type: "boolean" },
      config: { type: "string", file: true },
    },
  },
  help: { properties: { name: { type: "string", positional: 0, command: true } } },
  plain: null,
};
const names = Object.keys(SCHEMAS);
const view: CommandLookup = {
  names: () => names.map((value) => ({ value, description: "" })),
  summaryOf: (name) => {
    const schema = SCHEMAS[name];
    return schema === undefined ? null : { ...SUMMARY_DEFAULTS, name, description: "", schema };
  },
};

/** The last word is the one the cursor stands in. */
const complete = (...words: string[]) => {
  const { candidates, files } = completeWords(["adj", ...words], words.length, view);
  return [...candidates.map(({ value }) => value), ...(files ? ["(files)"] : [])];
};

test.each<[string[], string[]]>([
  [[""], ["deploy", "help", "plain", "run"]],
  [["de"], ["deploy"]],
  [
    ["--"],
    [
      "--json",
      "--yes",
      "--quiet",
      "--debug",
      "--color",
      "--no-color",
      "--session",
      "--help",
      "--cwd",
      "--version",
    ],
  ],
  [
    ["--color", ""],
    ["always", "never", "auto"],
  ],
  [["--q"], ["--quiet"]],
  [["--json", "h"], ["help"]],
  [["--session", ""], []],
  [["--session", "id", "p"], ["plain"]],
  [["--session=id", "p"], ["plain"]],
  [["-C", ""], ["(files)"]],
  [
    ["run", ""],
    ["deploy", "help", "plain"],
  ],
  [["run", "run"], []],
  [["run", "deploy", "d"], ["dev"]],
  [
    ["deploy", ""],
    ["dev", "prod"],
  ],
  [["deploy", "p"], ["prod"]],
  [["deploy", "prod", ""], ["(files)"]],
  [
    ["deploy", "--force", ""],
    ["dev", "prod"],
  ],
  [
    ["deploy", "--mode", ""],
    ["ask", "auto"],
  ],
  [["deploy", "-m", "as"], ["ask"]],
  [
    ["deploy", "--mode=a"],
    ["--mode=ask", "--mode=auto"],
  ],
  [
    ["deploy", "--mode", "ask", ""],
    ["dev", "prod"],
  ],
  [["deploy", "--label", ""], []],
  [["deploy", "--config", ""], ["(files)"]],
  [["deploy", "--config=x"], ["(files)"]],
  [["deploy", "--m"], ["--mode"]],
  [["deploy", "--mode", "ask", "--m"], []],
  [["deploy", "--label", "a", "--l"], ["--label"]],
  [["deploy", "--he"], ["--help"]],
  [["deploy", "--d"], ["--debug"]],
  [["deploy", "--debug", "--d"], []],
  [["deploy", "--cw"], []],
  [
    ["deploy", "--color", ""],
    ["always", "never", "auto"],
  ],
  [["deploy", "--color=n"], ["--color=never"]],
  [["deploy", "--color", "never", "p"], ["prod"]],
  [["deploy", "--session", ""], []],
  [["deploy", "--nothing=x"], []],
  [["deploy", "--", "--m"], []],
  [["deploy", "--", "d"], ["dev"]],
  [["help", "de"], ["deploy"]],
  [["plain", "x"], ["(files)"]],
  [["unknown", "x"], ["(files)"]],
])("%j offers %j", (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});

test("whatever is typed, every candidate begins with it", () => {
  const word = fc.oneof(
    fc.constantFrom("deploy", "help", "run", "--", "--mode", "--mode=", "-m", "--label", "", "-"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const { candidates } = completeWords(["adj", ...words], words.length, view);
      for (const { value } of candidates) expect(value.startsWith(words.at(-1) ?? "")).toBe(true);
    }),
  );
});

describe("words as bash breaks them", () => {
  test.each([
    [["adj", "log", "--type", "=", "Com"], 4, ["adj", "log", "--type=Com"], 2, "--type="],
    [["adj", "log", "--type", "="], 3, ["adj", "log", "--type="], 2, "--type="],
    [["adj", "log", "--type", "=", "A", "x"], 5, ["adj", "log", "--type=A", "x"], 3, ""],
    [["adj", "params", "a", "=", "1"], 4, ["adj", "params", "a", "=", "1"], 4, ""],
    [["adj", "mo"], 1, ["adj", "mo"], 1, ""],
    [["adj", "log", ""], 2, ["adj", "log", ""], 2, ""],
  ])("%j at %i are %j at %i, with %j cut off", (pieces, cursor, words, index, cut) => {
    expect(rejoinWords(pieces, cursor)).toEqual({ words, index, cut });
  });
});
