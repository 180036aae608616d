import { expect, test } from "vitest";
import { parseHooksFile } from "../../../src/hooks/pipeline/file.ts";
import { problemOf } from "../../support/faults.ts";

const SOURCE = {
  file: "hooks.yaml",
  layer: "user",
  folder: "/home/me/.config/adjutant",
  workingFolder: "/home/me/.config/adjutant",
} as const;

const parse = (text: string) => parseHooksFile(text, SOURCE);

const faultIn = (text: string): string => problemOf(() => parse(text));

/** An entry with these lines, the first of which stands at 2:5. */
const entry = (...lines: readonly string[]): string => `hooks:\n  - ${lines.join("\n    ")}\n`;

test("an empty file, and one of comments alone, have no rules", () => {
  for (const text of ["", "# nothing\n", "adjutant: 1\n", "hooks: []\n"])
    expect(parse(text)).toEqual({ rules: [], disable: [], warnings: [] });
});

test("the least that an entry says, and what is then in force", () => {
  expect(parse(entry("name: guard", "on: before_tool", "run: { argv: [./guard] }")).rules).toEqual([
    {
      name: "guard",
      on: ["before_tool"],
      match: {},
      run: { type: "argv", argv: ["./guard"], argvWindows: null },
      protocol: "adjutant",
      timeoutMs: 5_000,
      onError: null,
      isStrict: false,
      isOnce: false,
      isAsync: false,
      isEnabled: true,
      isUnpinned: false,
      cwd: null,
      env: {},
      inheritEnv: false,
      layer: "user",
      file: "hooks.yaml",
      folder: "/home/me/.config/adjutant",
      line: 2,
      column: 5,
    },
  ]);
});

test("everything that an entry may say", () => {
  const { rules, disable } = parse(
    `adjutant: 1
disable: [old]
${entry(
  "name: no force push",
  "on: [before_tool, before_permission]",
  'match: { agent: codex, tool: [a, b], tool_glob: "mcp__*", kind: shell, safety: [mutating, destructive], command: "git push*", cwd: "/w/**" }',
  "run: { shell: { program: ./sh, args: [-x] }, command: check }",
  "timeout: 250ms",
  "on_error: skip",
  "protocol: claude-code",
  "strict: true",
  "once: true",
  "enabled: false",
  "cwd: sub",
  "env: { A: 1, B: true, C: text }",
  "inherit_env: true",
)}`,
  );
  expect(rules).toMatchObject([
    {
      on: ["before_tool", "before_permission"],
      match: {
        agent: ["codex"],
        tool: ["a", "b"],
        tool_glob: ["mcp__*"],
        kind: ["shell"],
        safety: ["mutating", "destructive"],
        command: ["git push*"],
        cwd: ["/w/**"],
      },
      run: { type: "shell", shell: { program: "./sh", args: ["-x"] }, command: "check" },
      timeoutMs: 250,
      onError: "skip",
      protocol: "claude-code",
      isStrict: true,
      isOnce: true,
      isEnabled: false,
      cwd: "/home/me/.config/adjutant/sub",
      env: { A: "1", B: "true", C: "text" },
      inheritEnv: true,
    },
  ]);
  expect(disable).toEqual([{ name: "old", where: "hooks.yaml:2:11" }]);
});

/** A variable as a header names it. */
const named = (name: string): string => `\${${name}}`;

const GUARD = ["name: guard", "on: before_tool"] as const;

test.each<[what: string, text: string, problem: string]>([
  [
    "not YAML",
    "hooks: [",
    "hooks.yaml:1:9: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  ["not a map", "- 1", "hooks.yaml:1:1: the file must be a map"],
  ["an unknown key", "hoks: []", "hooks.yaml:1:1: unknown key `hoks`; did you mean `hooks`?"],
  ["another format", "adjutant: 2", "hooks.yaml:1:11: `adjutant` must be `1`"],
  [
    "an unknown key of an entry",
    entry(...GUARD, "run: { argv: [x] }", "tiemout: 5s"),
    "hooks.yaml:5:5: unknown key `tiemout`; did you mean `timeout`?",
  ],
  [
    "an unknown key of a match",
    entry(...GUARD, "match: { comand: x }", "run: { argv: [x] }"),
    "hooks.yaml:4:14: unknown key `comand`; did you mean `command`?",
  ],
  [
    "an unknown key of a run",
    entry(...GUARD, "run: { argvs: [x] }"),
    "hooks.yaml:4:12: unknown key `argvs`; did you mean `argv`?",
  ],
  [
    "an unknown step",
    entry("name: guard", "on: before_tol", "run: { argv: [x] }"),
    "hooks.yaml:3:9: unknown step `before_tol`; did you mean `before_tool`?",
  ],
  [
    "an unknown step in a list",
    entry("name: guard", "on: [before_tool, before_tools]", "run: { argv: [x] }"),
    "hooks.yaml:3:23: unknown step `before_tools`; did you mean `before_tool`?",
  ],
  ["no name", entry("on: before_tool", "run: { argv: [x] }"), "hooks.yaml:2:5: `name` is missing"],
  ["no run", entry(...GUARD), "hooks.yaml:2:5: `run` is missing"],
  [
    "a bare number",
    entry(...GUARD, "run: { argv: [x] }", "timeout: 5"),
    "hooks.yaml:5:14: `timeout` must be a duration such as `250ms`, `5s` or `10m`",
  ],
  [
    "no time at all",
    entry(...GUARD, "run: { argv: [x] }", "timeout: 0s"),
    "hooks.yaml:5:14: `timeout` must be a duration such as `250ms`, `5s` or `10m`",
  ],
  ["an empty argv", entry(...GUARD, "run: { argv: [] }"), "hooks.yaml:4:18: `argv` is empty"],
  [
    "an empty program",
    entry(...GUARD, 'run: { argv: [""] }'),
    "hooks.yaml:4:18: `argv` begins with an empty word",
  ],
  [
    "an empty argv_windows",
    entry(...GUARD, "run: { argv: [x], argv_windows: [] }"),
    "hooks.yaml:4:37: `argv_windows` is empty",
  ],
  [
    "argv_windows alone",
    entry(...GUARD, "run: { argv_windows: [x] }"),
    "hooks.yaml:4:12: `argv_windows` goes with `argv`, which is missing",
  ],
  [
    "both forms",
    entry(...GUARD, "run: { argv: [x], shell: sh, command: y }"),
    "hooks.yaml:4:23: give either `argv` or `shell`, not both",
  ],
  [
    "argv and command",
    entry(...GUARD, "run: { argv: [x], command: y }"),
    "hooks.yaml:4:23: `command` goes with `shell`, not with `argv`",
  ],
  [
    "a shell without a command",
    entry(...GUARD, "run: { shell: bash }"),
    "hooks.yaml:4:12: `shell` goes with `command`, which is missing",
  ],
  [
    "a command without a shell",
    entry(...GUARD, "run: { command: x }"),
    "hooks.yaml:4:12: `command` goes with `shell`, which is missing",
  ],
  [
    "an unknown shell",
    entry(...GUARD, "run: { shell: fish, command: x }"),
    "hooks.yaml:4:19: `shell` must be one of `sh`, `bash`, `pwsh`, `cmd`, or a map with `program` and `args`",
  ],
  [
    "nothing to run",
    entry(...GUARD, "run: {}"),
    "hooks.yaml:4:5: it runs nothing: give `argv`, or `shell` with `command`, or `url`, or `builtin`",
  ],
  [
    "a plain URL elsewhere",
    entry(...GUARD, "run: { url: http://example.com/ }"),
    "hooks.yaml:4:12: `http://example.com/` is neither `https` nor on this machine",
  ],
  [
    "a URL that only begins like this machine",
    entry(...GUARD, "run: { url: http://127.0.0.1.example.com/ }"),
    "hooks.yaml:4:12: `http://127.0.0.1.example.com/` is neither `https` nor on this machine",
  ],
  [
    "a header with no variable",
    entry(...GUARD, `run: { url: "https://example.com/", headers: { A: "x ${named("a b")}" } }`),
    `hooks.yaml:4:52: \`A\` names no variable: one is written \`${named("NAME")}\``,
  ],
  [
    "a header in two lines",
    entry(...GUARD, 'run: { url: "https://example.com/", headers: { A: "x\\ny" } }'),
    "hooks.yaml:4:55: `A` must be one line of text",
  ],
  [
    "an unknown kind",
    entry(...GUARD, "match: { kind: shel }", "run: { argv: [x] }"),
    "hooks.yaml:4:20: `kind` must be one of `shell`, `read`, `write`, `edit`, `fetch`, `search`, `mcp`, `agent`, `other`, or a list of them",
  ],
  [
    "an async handler that blocks",
    entry(...GUARD, "run: { argv: [x] }", "async: true", "on_error: block"),
    "hooks.yaml:6:5: an `async` handler decides nothing, so it cannot block",
  ],
  [
    "an alias of env that is no variable",
    entry(...GUARD, "run: { argv: [x] }", "env: { A-B: x }"),
    "hooks.yaml:5:12: `A-B` is not the name of a variable",
  ],
  [
    "two of one name",
    `${entry(...GUARD, "run: { argv: [x] }")}  - { name: guard, on: before_tool, run: { argv: [y] } }\n`,
    "hooks.yaml:5:13: another entry is called `guard` too",
  ],
])("%s is told with its place", (_, text, problem) => {
  expect(faultIn(text)).toBe(problem);
});

test("an unknown builtin is told with the known ones", () => {
  const problem = faultIn(entry(...GUARD, "run: { builtin: no-such-thing }"));
  expect(problem).toMatch(/^hooks\.yaml:4:12: unknown builtin `no-such-thing`; known are /);
});

test.each([
  "https://example.com/x",
  "http://localhost:1/x",
  "http://127.8.9.1/",
  "http://[::1]:80/",
])("%s may be asked", (url) => {
  expect(
    parse(entry(...GUARD, `run: { url: "${url}", headers: { A: "Bearer ${named("TOKEN")}" } }`))
      .rules,
  ).toMatchObject([{ run: { type: "http", url, headers: { A: `Bearer ${named("TOKEN")}` } } }]);
});

test.each<[match: string, on: string, reason: string | null]>([
  ["{ tool: Bash }", "session_start", "`session_start` has no `tool`"],
  ["{ tool: Bash }", "[session_start, before_tool]", null],
  ["{ kind: read, command: ls }", "before_tool", "`command` needs `kind: shell`, not `read`"],
  ["{ agent: claude }", "before_tool", null],
  ["{ agent: claud }", "before_tool", "no agent is called `claud`; did you mean `claude-code`?"],
  ["{ agent: codx }", "before_tool", "no agent is called `codx`; did you mean `codex`?"],
  [
    "{ agent: codex }",
    "before_command",
    "`before_command` is a step of the agent `adjutant` alone",
  ],
  ['{ command: "deploy*" }', "before_command", null],
  ["{ cwd: /x }", "notification", null],
])("a rule with %s on %s that can never match is told", (match, on, reason) => {
  const { warnings } = parse(
    entry("name: one", `on: ${on}`, `match: ${match}`, "run: { argv: [x] }"),
  );
  expect(warnings).toEqual(
    reason === null ? [] : [`hooks.yaml:2:5: \`one\` can never match: ${reason}`],
  );
});

test("an entry that is there twice is no mistake", () => {
  const one = "{ name: guard, on: before_tool, run: { argv: [x] } }";
  expect(parse(`hooks:\n  - ${one}\n  - ${one}\n`).rules).toHaveLength(2);
});
