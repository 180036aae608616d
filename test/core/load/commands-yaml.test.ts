import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/core/command/fault.ts";
import { parseCommandsYaml, type YamlEntry } from "../../../src/core/load/commands-yaml.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";
import { faultOf } from "../../support/faults.ts";

const FILE = { file: "commands.yaml", folder: "/copy/.adjutant", workingFolder: "/p/.adjutant" };
const parse = (text: string): YamlEntry[] => parseCommandsYaml(text, FILE);

describe("an entry", () => {
  test("of argv is a program and a summary with the defaults", () => {
    expect(parse("adjutant: 1\nlint: { description: Lint, argv: [npx, eslint, .] }\n")).toEqual([
      {
        kind: "command",
        name: "lint",
        summary: {
          ...SUMMARY_DEFAULTS,
          name: "lint",
          description: "Lint",
          takesAnyWords: true,
        },
        program: {
          kind: "argv",
          argv: ["npx", "eslint", "."],
          argvWindows: null,
          cwd: null,
          folder: "/copy/.adjutant",
        },
      },
    ]);
  });

  test("may say everything a command can", () => {
    const [entry] = parse(`
all:
  description: All of it
  argv: [a]
  argv_windows: [a.exe]
  cwd: ../sub
  version: 1.0.0
  effect: write
  safety: read_only
  aliases: [every]
  category: things
  argument_hint: "[x]"
  examples: [all x]
  timeout: 10m
  env: { PORT: 80, DEBUG: true, NAME: x }
  inherit_env: true
  hold_lease_while_asking: true
  critical: true
  agents: true
`);
    expect(entry).toEqual({
      kind: "command",
      name: "all",
      summary: {
        name: "all",
        description: "All of it",
        version: "1.0.0",
        effect: "write",
        safety: "read_only",
        aliases: ["every"],
        category: "things",
        argumentHint: "[x]",
        examples: ["all x"],
        timeoutMs: 600_000,
        env: { PORT: "80", DEBUG: "true", NAME: "x" },
        inheritEnv: true,
        holdLeaseWhileAsking: true,
        critical: true,
        person: false,
        agents: true,
        schema: null,
        takesAnyWords: true,
      },
      program: {
        kind: "argv",
        argv: ["a"],
        argvWindows: ["a.exe"],
        // From where the file lies for its owner, not from the copy.
        cwd: "/p/sub",
        folder: "/copy/.adjutant",
      },
    });
  });

  test.each([
    ["shell: bash", "bash"],
    ["shell: cmd", "cmd"],
    ["shell: { program: zsh, args: [-c] }", { program: "zsh", args: ["-c"] }],
  ])("of %s has a command for it", (shell, expected) => {
    const [entry] = parse(`x: { description: d, ${shell}, command: 'a "$@"' }`);
    expect(entry).toMatchObject({
      program: { kind: "shell", shell: expected, command: 'a "$@"', cwd: null },
    });
  });

  test("may disable", () => {
    expect(parse("x: { disable: true }")).toEqual([{ kind: "disable", name: "x" }]);
  });
});

describe("a problem of one entry is a fault with its place, and the others load", () => {
  test.each([
    [
      "x: { descripton: d, argv: [a] }",
      "1:6: unknown key `descripton`; did you mean `description`?",
    ],
    ["x:\n  description: d\n  argv: [a]\n  zzz: 1", "4:3: unknown key `zzz`"],
    ["x: { argv: [a] }", "1:4: `description` is missing"],
    ["x: { description: '', argv: [a] }", "1:19: `description` must be one line of text"],
    ['x: { description: "a\\nb", argv: [a] }', "1:19: `description` must be one line of text"],
    ["x: { description: d, argv: a }", "1:28: `argv` must be a list"],
    ["x: { description: d, argv: [] }", "1:28: `argv` is empty"],
    ["x: { description: d, argv: [''] }", "1:28: `argv` begins with an empty word"],
    ["x: { description: d, argv: [a, 1] }", "1:32: entry 2 of `argv` must be text"],
    ['x: { description: d, argv: [a, "\\0"] }', "1:32: entry 2 of `argv` holds a NUL byte"],
    ["x: { description: d, argv: [a], argv_windows: [] }", "1:47: `argv_windows` is empty"],
    [
      "x: { description: d, argv: [a], shell: sh, command: b }",
      "1:33: give either `argv` or `shell` with `command`, not both",
    ],
    [
      "x: { description: d, argv: [a], command: b }",
      "1:33: give either `argv` or `shell` with `command`, not both",
    ],
    ["x: { description: d, shell: sh }", "1:22: `shell` goes with `command`, which is missing"],
    ["x: { description: d, command: b }", "1:22: `command` goes with `shell`, which is missing"],
    [
      "x: { description: d, argv_windows: [b] }",
      "1:22: `argv_windows` goes with `argv`, which is missing",
    ],
    [
      "x: { description: d, shell: fish, command: b }",
      "1:29: `shell` must be one of `sh`, `bash`, `pwsh`, `cmd`, or a map with `program` and `args`",
    ],
    ["x: { description: d, shell: { program: a }, command: b }", "1:29: `args` is missing"],
    [
      "x: { description: d, argv: [a], timeout: 30 }",
      "1:42: `timeout` must be a duration such as `30s` or `10m`",
    ],
    [
      "x: { description: d, argv: [a], timeout: 0s }",
      "1:42: `timeout` must be a duration such as `30s` or `10m`",
    ],
    [
      "x: { description: d, argv: [a], effect: none }",
      "1:41: `effect` must be one of `read`, `write`, `exclusive`",
    ],
    [
      "x: { description: d, argv: [a], version: '1' }",
      "1:42: `version` must be a version such as `1.2.3`",
    ],
    [
      "x: { description: d, argv: [a], aliases: [A] }",
      "1:43: entry 1 of `aliases` is not a command name",
    ],
    [
      "x: { description: d, argv: [a], aliases: [trust] }",
      "1:43: entry 1 of `aliases` belongs to the program and cannot be an alias",
    ],
    [
      "x: { description: d, argv: [a], env: [A-B] }",
      "1:39: entry 1 of `env` is not the name of a variable",
    ],
    [
      "x: { description: d, argv: [a], env: { A-B: x } }",
      "1:40: `A-B` is not the name of a variable",
    ],
    [
      "x: { description: d, argv: [a], env: A }",
      "1:38: `env` must be a list of names, or a map of names and values",
    ],
    ["x: { description: d, argv: [a], critical: 1 }", "1:43: `critical` must be true or false"],
    ["x: { disable: false }", "1:15: `disable` must be `true`"],
    ["x: { disable: true, argv: [a] }", "1:21: unknown key `argv`"],
    ["x: echo hi", "1:4: `x` must be a map"],
    ["x:", "1:3: `x` must be a map"],
    ["x: [a]", "1:4: `x` must be a map"],
    [
      "Up: { disable: true }",
      "1:1: `Up` is not a command name: small letters, digits and dashes, beginning with a letter, at most 64",
    ],
    ["trust: { disable: true }", "1:1: `trust` belongs to the program and cannot be defined"],
  ])("%j", (text, message) => {
    const entries = parse(`${text}\nother: { description: d, argv: [a] }`);
    expect(entries[0]).toMatchObject({ kind: "broken", fault: { class: "Config" } });
    expect(entries[0]).toHaveProperty("fault.message", `commands.yaml:${message}`);
    expect(entries[1]).toMatchObject({ kind: "command", name: "other" });
  });

  test("and it still counts as critical if it says so", () => {
    expect(parse("x: { critical: true }\ny: {}")).toMatchObject([
      { critical: true },
      { critical: false },
    ]);
  });
});

describe("a problem of the file is one fault", () => {
  test.each([
    ["x: { disable: true }\nx: { disable: true }", "2:1: the key `x` is there twice"],
    ["x:\n  argv: [a]\n  argv: [b]", "3:3: the key `argv` is there twice"],
    ["- x", "1:1: the file must be a map of names to commands"],
    ["just text", "1:1: the file must be a map of names to commands"],
    ["adjutant: 2", "1:11: `adjutant` must be `1`"],
    ["__proto__: { disable: true }", "1:1: the key `__proto__` is not allowed"],
    ["1: { disable: true }", "1:1: a key must be text"],
    ["x: {", "1:5: not YAML: "],
  ])("%j", async (text, message) => {
    const raised = await faultOf(() => parse(text));
    expect(raised).toMatchObject({ class: "Config", code: "FileInvalid" });
    expect(raised.message).toContain(`commands.yaml:${message}`);
  });

  test("an alias bomb is one, soon", async () => {
    const names = [..."abcdefghijklmnopqrst"];
    const lines = names.map(
      (name, at) =>
        `${name}: &${name} [${at === 0 ? "x, x" : `*${names[at - 1]}, *${names[at - 1]}`}]`,
    );
    const raised = await faultOf(() => parse(lines.join("\n")));
    expect(raised.message).toContain("excessive alias count");
  });

  test("an empty file has no entries", () => {
    expect(parse("# nothing\n")).toEqual([]);
  });
});

test("any entry is a command, a disable or a fault at a place in it", () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(["a"]), fc.constant("d"));
  const key = fc.constantFrom(
    "description",
    "argv",
    "shell",
    "command",
    "env",
    "timeout",
    "aliases",
    "disable",
    "cwd",
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), (entry) => {
      try {
        const [read] = parse(JSON.stringify({ x: entry }));
        if (read?.kind === "broken")
          expect(read.fault.message).toMatch(/^commands\.yaml:\d+:\d+: /);
      } catch (error) {
        // Keys like `__proto__` deep inside are refused for the whole file.
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
