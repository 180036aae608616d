import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as builder from "../../../src/markdown/argv/builder.ts";

const {
  applyPositionalArgs,
  buildArgsFromFrontmatter,
  buildCommand,
  buildCommandBase,
  extractEnvVars,
  extractPositionalMappings,
} = builder;

const NONE: ReadonlySet<string> = new Set();

it("exports the six functions and nothing else that runs", () => {
  expect(Object.keys(builder).sort()).toEqual([
    "applyPositionalArgs",
    "buildArgsFromFrontmatter",
    "buildCommand",
    "buildCommandBase",
    "extractEnvVars",
    "extractPositionalMappings",
  ]);
});

describe("a key becomes a flag", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["a long key", { model: "opus" }, ["--model", "opus"]],
    ["one character", { p: true }, ["-p"]],
    ["a dash in front", { "-x": "1" }, ["-x", "1"]],
    ["two dashes in front", { "--model": "opus" }, ["--model", "opus"]],
    ["a single dash", { "-": "1" }, ["-", "1"]],
    ["underscores stay", { max_turns: 3 }, ["--max_turns", "3"]],
    ["capitals stay", { allowedTools: "Read" }, ["--allowedTools", "Read"]],
    ["a wide character", { é: true }, ["-é"]],
    ["a key with a value in it", { "--tool=Read": true }, ["--tool=Read"]],
  ])("%s", (_, frontmatter, args) => {
    expect(buildArgsFromFrontmatter(frontmatter, NONE)).toEqual(args);
  });
});

describe("a key never becomes a flag", () => {
  test.each<[string, Record<string, unknown>, string[], string[]]>([
    ["args", { args: ["a"] }, [], []],
    ["pre", { pre: "x" }, [], []],
    ["before", { before: "x" }, [], []],
    ["post", { post: "x" }, [], []],
    ["after", { after: "x" }, [], []],
    ["context_window", { context_window: 5 }, [], []],
    ["a mapping", { $1: "prompt" }, [], []],
    ["a mapping that is no text", { $2: 7 }, [], []],
    ["a named variable", { $focus: "security" }, [], []],
    ["a bare dollar", { $: "x" }, [], []],
    ["a template variable", { focus: "x", model: "y" }, ["focus"], ["--model", "y"]],
    ["env as a map", { env: { A: "1" } }, [], []],
    ["env as an empty map", { env: {} }, [], []],
    ["env as a list is a flag", { env: ["A=1", "B=2"] }, [], ["--env", "A=1", "--env", "B=2"]],
    ["env as text is a flag", { env: "A=1" }, [], ["--env", "A=1"]],
    ["env as a template variable", { env: "A=1" }, ["env"], []],
    ["preset is a flag", { preset: "x" }, [], ["--preset", "x"]],
  ])("%s", (_, frontmatter, names, args) => {
    expect(buildArgsFromFrontmatter(frontmatter, new Set(names))).toEqual(args);
  });
});

describe("a value", () => {
  test.each<[string, unknown, string[]]>([
    ["undefined", undefined, []],
    ["null", null, []],
    ["false", false, []],
    ["true", true, ["--key"]],
    ["zero", 0, ["--key", "0"]],
    ["a number", 1.5, ["--key", "1.5"]],
    ["the empty text", "", ["--key", ""]],
    ["text that says false", "false", ["--key", "false"]],
    ["text with commas stays whole", "a,b", ["--key", "a,b"]],
    ["an empty list", [], []],
    [
      "a list",
      ["a", 2, true, null],
      ["--key", "a", "--key", "2", "--key", "true", "--key", "null"],
    ],
  ])("%s", (_, value, args) => {
    expect(buildArgsFromFrontmatter({ key: value }, NONE)).toEqual(args);
  });
});

describe("positions are mapped", () => {
  test.each<[string, Record<string, unknown>, [number, string][]]>([
    [
      "by number",
      { $1: "prompt", $3: "m" },
      [
        [1, "prompt"],
        [3, "m"],
      ],
    ],
    [
      "decimal",
      { $01: "prompt", $10: "x" },
      [
        [10, "x"],
        [1, "prompt"],
      ],
    ],
    ["never at zero", { $0: "x", $00: "y" }, []],
    ["by text only", { $1: null, $2: true, $3: 4, $4: ["a"] }, []],
    ["not by a name", { $one: "x", $1a: "y", "1": "z" }, []],
  ])("%s", (_, frontmatter, mappings) => {
    expect(extractPositionalMappings(frontmatter)).toEqual(new Map(mappings));
  });

  test.each<[string, string[], [number, string][], string[]]>([
    ["unmapped as they are", ["body", "a"], [], ["-b", "body", "a"]],
    ["the body", ["body"], [[1, "prompt"]], ["-b", "--prompt", "body"]],
    ["one letter", ["body"], [[1, "p"]], ["-b", "-p", "body"]],
    ["with its own dashes", ["body"], [[1, "-q"]], ["-b", "-q", "body"]],
    ["a later one", ["body", "x"], [[2, "model"]], ["-b", "body", "--model", "x"]],
    ["not one that was not given", [], [[1, "prompt"]], ["-b"]],
  ])("%s", (_, positionals, mappings, args) => {
    expect(applyPositionalArgs(["-b"], positionals, new Map(mappings))).toEqual(args);
  });
});

describe("the environment", () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ["none", {}, {}],
    ["a map", { env: { A: "x", N: 80, B: false } }, { A: "x", N: "80", B: "false" }],
    ["null sets nothing", { env: { A: null, B: undefined, C: "" } }, { C: "" }],
    ["a list sets nothing", { env: ["A=1"] }, {}],
    ["text sets nothing", { env: "A=1" }, {}],
  ])("%s", (_, frontmatter, env) => {
    expect(extractEnvVars(frontmatter)).toEqual(env);
  });
});

describe("a command", () => {
  const config = {
    commands: { claude: { model: "sonnet", verbose: true, $1: "prompt", env: { A: "1" } } },
  };

  it("has no defaults where `commands:` of a settings file holds nothing", () => {
    const { args } = buildCommandBase("claude", { p: true }, NONE, { commands: null }, "/w");
    expect(args).toEqual(["-p"]);
  });

  it("keeps a default's place and takes the front matter's value", () => {
    const { args } = buildCommandBase("claude", { p: true, model: "opus" }, NONE, config, "/w");
    expect(args).toEqual(["--model", "opus", "--verbose", "-p"]);
  });

  test.each([null, false, undefined])("loses a default to %s", (nothing) => {
    const { args } = buildCommandBase("claude", { verbose: nothing }, NONE, config, "/w");
    expect(args).toEqual(["--model", "sonnet"]);
  });

  it("loses an inherited mapping to null", () => {
    const build = (frontmatter: Record<string, unknown>) =>
      buildCommand("claude", frontmatter, "hi", ["x"], NONE, config, "/w").args;
    expect(build({})).toEqual(["--model", "sonnet", "--verbose", "--prompt", "hi", "x"]);
    expect(build({ $1: null })).toEqual(["--model", "sonnet", "--verbose", "hi", "x"]);
  });

  it("takes an environment whole: the merge is shallow", () => {
    const { env } = buildCommandBase("claude", { env: { B: 2 } }, NONE, config, "/w");
    expect(env).toEqual({ B: "2" });
  });

  it("is keyed by its own name and by no inherited one", () => {
    for (const command of ["codex", "constructor", "__proto__"])
      expect(buildCommandBase(command, {}, NONE, config, "/w")).toEqual({
        executable: command,
        args: [],
        env: {},
        cwd: "/w",
      });
  });

  it("runs where this process is unless it is told", () => {
    expect(buildCommandBase("x", {}, NONE, {}).cwd).toBe(process.cwd());
    expect(buildCommand("x", {}, "", [], NONE, {}).cwd).toBe(process.cwd());
  });
});

const value = fc.oneof(
  fc.constantFrom(undefined, null, true, false),
  fc.string(),
  fc.integer(),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 2, noNullPrototype: true }),
);
const key = fc.oneof(
  fc.constantFrom("args", "pre", "env", "model", "m", "$1", "$2", "$x", "-p", "--k", "constructor"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__"),
);
const frontmatter = fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true });
const words = fc.array(fc.string(), { maxLength: 4 });

const freeze = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

describe("merging", () => {
  const build = (defaults: Record<string, unknown>, own: Record<string, unknown>) =>
    buildCommand("c", own, "body", ["a"], NONE, { commands: { c: defaults } }, "/w");

  it("with nothing changes nothing", () => {
    fc.assert(
      fc.property(frontmatter, (given) => {
        const alone = buildCommand("c", given, "body", ["a"], NONE, {}, "/w");
        expect(build({}, given)).toEqual(alone);
        expect(build(given, {})).toEqual(alone);
        expect(build(given, given)).toEqual(alone);
      }),
    );
  });

  it("takes the right one's value wherever both have a key", () => {
    fc.assert(
      fc.property(frontmatter, key, value, value, (rest, shared, left, right) => {
        const built = build({ ...rest, [shared]: left }, { [shared]: right });
        expect(built).toEqual(build({}, { ...rest, [shared]: right }));
      }),
    );
  });

  it("writes what has no text of its own as any object", () => {
    const mute = { toString: "" };
    expect(build({}, { a: mute, b: [mute, [mute, null]], env: { C: mute } })).toMatchObject({
      args: [
        "-a",
        "[object Object]",
        "-b",
        "[object Object]",
        "-b",
        "[object Object],",
        "body",
        "a",
      ],
      env: { C: "[object Object]" },
    });
  });

  it("is associative", () => {
    fc.assert(
      fc.property(frontmatter, frontmatter, frontmatter, (a, b, c) => {
        expect(build({ ...a, ...b }, c)).toEqual(build(a, { ...b, ...c }));
      }),
    );
  });

  it("changes nothing it is given, and gives the same again", () => {
    fc.assert(
      fc.property(frontmatter, frontmatter, words, (defaults, own, positionals) => {
        const config = freeze({ commands: { c: defaults } });
        const names = new Set(["model"]);
        const once = () =>
          buildCommand("c", freeze(own), "b", freeze(positionals), names, config, "/w");
        expect(once()).toEqual(once());
        expect([...names]).toEqual(["model"]);
      }),
    );
  });

  it("without a positional is the same but for the positionals", () => {
    fc.assert(
      fc.property(frontmatter, words, (given, positionals) => {
        const base = buildCommandBase("c", given, NONE, {}, "/w");
        const whole = buildCommand("c", given, "body", positionals, NONE, {}, "/w");
        expect(whole).toEqual({
          ...base,
          args: applyPositionalArgs(
            base.args,
            ["body", ...positionals],
            extractPositionalMappings(given),
          ),
        });
      }),
    );
  });
});
