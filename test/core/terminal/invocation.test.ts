import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listSchemaArguments } from "../../../src/core/command/arguments.ts";
import type { ArgumentSchema } from "../../../src/core/command/definition.ts";
import { Fault } from "../../../src/core/command/fault.ts";
import { commonFlagsOf } from "../../../src/core/command/program-flags.ts";
import { parseInvocation, takeCommonFlags } from "../../../src/core/terminal/invocation.ts";

const NOTHING = {
  json: false,
  yes: false,
  quiet: false,
  debug: false,
  color: "auto" as const,
  session: null,
  cwd: null,
};

const command = (name: string, words: readonly string[] = [], options = {}) => ({
  kind: "command",
  name,
  words,
  options: { ...NOTHING, ...options },
});

describe("flags before the name are the program's, everything after it is the command's", () => {
  const CASES: readonly (readonly [readonly string[], unknown])[] = [
    [[], { kind: "help", options: NOTHING }],
    [["--help"], { kind: "help", options: NOTHING }],
    [["-h"], { kind: "help", options: NOTHING }],
    [["--version"], { kind: "version" }],
    [["-V", "greet"], { kind: "version" }],
    [["greet"], command("greet")],
    [["greet", "Ada", "--json", "-C", "x"], command("greet", ["Ada", "--json", "-C", "x"])],
    [["greet", "--version"], command("greet", ["--version"])],
    [["greet", "--", "--yes", "--"], command("greet", ["--", "--yes", "--"])],
    [["greet", ""], command("greet", [""])],
    [["--json", "greet"], command("greet", [], { json: true })],
    [["-yq", "greet"], command("greet", [], { yes: true, quiet: true })],
    [["--yes", "--quiet", "greet", "-y"], command("greet", ["-y"], { yes: true, quiet: true })],
    [["--session", "s1", "greet"], command("greet", [], { session: "s1" })],
    [["--no-color", "greet"], command("greet", [], { color: "never" })],
    [["--color=always", "--no-color", "greet"], command("greet", [], { color: "never" })],
    [["--session=s1", "greet"], command("greet", [], { session: "s1" })],
    [["-C", "dir", "greet", "dir"], command("greet", ["dir"], { cwd: "dir" })],
    [["-Cdir", "greet"], command("greet", [], { cwd: "dir" })],
    [["--cwd=a b", "greet"], command("greet", [], { cwd: "a b" })],
    [["--session", "greet", "greet"], command("greet", [], { session: "greet" })],
    [["--help", "greet"], command("help", ["greet"])],
    [["--json", "-h", "greet", "Ada"], command("help", ["greet"], { json: true })],
    [["run", "greet", "Ada"], command("greet", ["Ada"])],
    [["run", "run", "Ada"], command("run", ["Ada"])],
    [["run", "--json"], command("--json")],
    [["--json", "run", "trust"], command("trust", [], { json: true })],
    [["run", "greet", "--", "x"], command("greet", ["--", "x"])],
    [["-", "x"], command("-", ["x"])],
    [["--", "greet"], command("greet")],
  ];

  test.each(CASES)("%j", (argv, expected) => {
    expect(parseInvocation(argv)).toEqual(expected);
  });

  test("whatever follows the name arrives as it was typed", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(parseInvocation(["--json", "greet", ...words])).toEqual(
          command("greet", words, { json: true }),
        );
      }),
    );
  });
});

describe("flags that cannot be meant", () => {
  const CASES: readonly (readonly [readonly string[], string, string])[] = [
    [["--jsn"], "FlagUnknown", "unknown flag `--jsn` of `adj`; did you mean `--json`?"],
    [
      ["--json", "--sesion=x"],
      "FlagUnknown",
      "unknown flag `--sesion=x` of `adj`; did you mean `--session`?",
    ],
    [["-x"], "FlagUnknown", "unknown flag `-x` of `adj`"],
    [["-yx"], "FlagUnknown", "unknown flag `-yx` of `adj`"],
    [["--session"], "InputInvalid", "`adj`: `--session` needs a value"],
    [["--session", "--json", "greet"], "InputInvalid", "`adj`: `--session` needs a value"],
    [["--json=no"], "InputInvalid", "`adj`: `--json` takes no value"],
    [["run"], "InputInvalid", "`adj run`: the name of a command is missing"],
    [["--help", "run"], "InputInvalid", "`adj run`: the name of a command is missing"],
  ];

  test.each(CASES)("%j", (argv, code, message) => {
    expect(() => parseInvocation(argv)).toThrow(
      expect.objectContaining({ class: "Usage", exitCode: 2, code, message }),
    );
  });

  test("are faults, never bugs, whatever is typed", () => {
    const word = fc.oneof(
      fc.string(),
      fc.string().map((text) => `-${text}`),
      fc.constantFrom("--json", "--session", "-C", "--", "-", "run", "--cwd=", "-yq"),
    );
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        try {
          parseInvocation(argv);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

describe("a command with a schema also takes the program's flags behind its name", () => {
  type Properties = Readonly<Record<string, ArgumentSchema>>;
  const take = (words: readonly string[], properties: Properties = {}) => {
    const known = listSchemaArguments({ properties });
    const { words: left, given } = takeCommonFlags(words, commonFlagsOf(known));
    return [left.join(" "), Object.fromEntries(given)];
  };
  const SWITCH: ArgumentSchema = { type: "boolean" };

  // biome-ignore format: a table, one line each
  test.each<[what: string, words: string, own: Properties, left: string, given: object]>([
    ["anywhere among its words", "a --json b", {}, "a b", { json: "" }],
    ["all switches", "--help --yes --json --quiet --debug --no-color", {}, "", { help: "", yes: "", json: "", quiet: "", debug: "", "no-color": "" }],
    ["with a value", "a --color always b --session s1", {}, "a b", { color: "always", session: "s1" }],
    ["with a value behind `=`", "--color=never --session=a=b x", {}, "x", { color: "never", session: "a=b" }],
    ["not behind `--`", "a -- --json --debug --color red", {}, "a -- --json --debug --color red", {}],
    ["on both sides of it", "--yes -- --yes", {}, "-- --yes", { yes: "" }],
    ["not where it has one itself", "--json --yes --debug", { json: SWITCH, debug: SWITCH }, "--json --debug", { yes: "" }],
    ["not a value of its own", "--color red --session x", { color: {}, session: {} }, "--color red --session x", {}],
    ["not what takes back a switch of its own", "--no-color --debug", { color: SWITCH }, "--no-color", { debug: "" }],
    ["not a switch with a value", "--json=x --help=no --debug=1", {}, "--json=x --help=no --debug=1", {}],
    ["not by a part", "--js --deb", {}, "--js --deb", {}],
    ["not those that say where to begin", "-C /x --cwd /x --version -V", {}, "-C /x --cwd /x --version -V", {}],
    ["by one letter", "-h -y x -q", {}, "x", { help: "", yes: "", quiet: "" }],
    ["not by a letter of its own, nor for a flag of its own", "-h -y -q", { host: { short: "h" }, yes: {} }, "-h -y", { quiet: "" }],
    ["only four where it hands on what it does not know", "--debug --color x -y --json", { rest: { unknownFlags: true } }, "--debug --color x", { yes: "", json: "" }],
    ["only four where it takes words as they are", "--debug --session s --yes", { rest: { positional: "rest", verbatim: true } }, "--debug --session s", { yes: "" }],
  ])("%s", (_, words, own, left, given) => {
    expect(take(words.split(" "), own)).toEqual([left, given]);
  });

  test.each([["--color"], ["--color --debug"], ["--session -- x"]])("%s lacks a value", (words) => {
    expect(() => take(words.split(" "))).toThrow(
      expect.objectContaining({ code: "InputInvalid", exitCode: 2 }),
    );
  });
});
