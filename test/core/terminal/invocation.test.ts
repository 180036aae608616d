import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/core/command/fault.ts";
import { parseInvocation, takeCommonFlags } from "../../../src/core/terminal/invocation.ts";

const NOTHING = { json: false, yes: false, quiet: false, session: null, cwd: null };

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

describe("a command with a schema also takes --help, --json, --yes and --quiet", () => {
  const taken = (words: readonly string[], found = {}) => ({
    words,
    wantsHelp: false,
    json: false,
    yes: false,
    quiet: false,
    ...found,
  });
  const CASES: readonly (readonly [string, readonly string[], readonly string[], unknown])[] = [
    ["anywhere among its words", ["a", "--json", "b"], [], taken(["a", "b"], { json: true })],
    [
      "all of them",
      ["--help", "--yes", "--json"],
      [],
      taken([], { wantsHelp: true, yes: true, json: true }),
    ],
    ["not behind `--`", ["a", "--", "--json"], [], taken(["a", "--", "--json"])],
    ["on both sides of it", ["--yes", "--", "--yes"], [], taken(["--", "--yes"], { yes: true })],
    [
      "not where it has one itself",
      ["--json", "--yes"],
      ["json"],
      taken(["--json"], { yes: true }),
    ],
    ["not with a value", ["--json=x", "--help=no"], [], taken(["--json=x", "--help=no"])],
    ["not by a part", ["--js"], [], taken(["--js"])],
    [
      "by one letter",
      ["-h", "-y", "x", "-q"],
      [],
      taken(["x"], { wantsHelp: true, yes: true, quiet: true }),
    ],
    [
      "not by a letter of its own, nor for a flag of its own",
      ["-h", "-y", "-q"],
      ["h", "yes"],
      taken(["-h", "-y"], { quiet: true }),
    ],
  ];

  test.each(CASES)("%s", (_, words, own, expected) => {
    expect(takeCommonFlags(words, new Set(own))).toEqual(expected);
  });
});
