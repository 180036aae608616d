import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { OPEN_SANDBOX } from "../../../src/bench/suite/agents.ts";
import type { Evaluator } from "../../../src/bench/suite/evaluator.ts";
import { loadSuite } from "../../../src/bench/suite/load.ts";
import type { Suite } from "../../../src/bench/suite/suite.ts";
import { ADAPTERS } from "../../support/agents.ts";
import { problemOf } from "../../support/faults.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "adj-suite-"));
afterAll(() => removeFolder(folder));

for (const path of ["cases/off-by-one", "parts/tree"])
  mkdirSync(join(folder, path), { recursive: true });
for (const path of ["cases/off-by-one.sh", "parts/solve.sh", "blank.md"])
  writeFileSync(join(folder, path), "\n");

/** Takes text only; with `tree` it is the name of a file. */
const typeOf = (type: string): Evaluator => ({
  type,
  description: "runs",
  readOptions: (raw) =>
    typeof raw === "string"
      ? { kind: "options", options: { command: raw } }
      : { kind: "invalid", path: [], problem: `\`${type}\` must be a command` },
  files: (options) =>
    type === "tree" && typeof options === "object" ? Object.values(options ?? {}) : [],
  grade: () => Promise.reject(new TypeError("not asked for here")),
});
const TYPES = ["run", "tree"];
const evaluators = {
  find: (type: string) => (TYPES.includes(type) ? typeOf(type) : null),
  types: () => TYPES,
};

function load(text: string | Uint8Array, env: Record<string, string> = {}): Suite {
  writeFileSync(join(folder, "suite.yaml"), text);
  return loadSuite(join(folder, "suite.yaml"), { env, evaluators, adapters: ADAPTERS });
}

const faultIn = (text: string | Uint8Array, env: Record<string, string> = {}): string =>
  problemOf(() => load(text, env)).replaceAll(`${folder}/`, "");

const WHOLE = `adjutant: 1
name: fix-bugs
agents:
  - { id: quick, agent: claude-code, model: sonnet, config: { max_turns: 3 } }
  - agent: codex
cases:
  - id: off-by-one
    tags: [small]
    workspace: { template: ./cases/off-by-one }
    command: fix
    setup: [npm ci, { run: make, timeout: 5s }]
    evaluators:
      - { run: "npm test", weight: 2 }
      - { run: "npm run lint" }
    solution: ./cases/off-by-one.sh
  - id: greeting
    prompt: say hello
    timeout: 30s
repeat: 5
limits: { timeout: 10m, usd: 2.00, concurrency: 3, infra_retries: 0 }
post: [{ append: results.jsonl }]
`;

const AGENTS = "name: s\nagents: [{ agent: replay }]\n";

describe("a suite", () => {
  test("is read whole", () => {
    const suite = load(WHOLE);
    expect(suite).toMatchObject({
      name: "fix-bugs",
      folder,
      repeat: 5,
      limits: { timeoutMs: 600_000, usd: 2, concurrency: 3, infraRetries: 0 },
      post: [{ kind: "append", file: join(folder, "results.jsonl") }],
    });
    expect(suite.agents).toEqual([
      {
        id: "quick",
        agent: "claude-code",
        config: { max_turns: 3, model: "sonnet" },
        concurrency: null,
        ratePerMinute: null,
        sandbox: OPEN_SANDBOX,
      },
      {
        id: "codex",
        agent: "codex",
        config: {},
        concurrency: null,
        ratePerMinute: null,
        sandbox: OPEN_SANDBOX,
      },
    ]);
    expect(suite.cases[0]).toEqual({
      id: "off-by-one",
      tags: ["small"],
      workspace: { kind: "template", folder: join(folder, "cases/off-by-one") },
      task: { kind: "command", name: "fix", args: [] },
      setup: [
        { run: "npm ci", timeoutMs: 300_000 },
        { run: "make", timeoutMs: 5_000 },
      ],
      teardown: [],
      env: [],
      evaluators: [
        { id: "run", type: "run", weight: 2, options: { command: "npm test" } },
        { id: "run-2", type: "run", weight: 1, options: { command: "npm run lint" } },
      ],
      solution: join(folder, "cases/off-by-one.sh"),
      timeoutMs: null,
      labels: [],
      unsupported: null,
    });
    expect(suite.cases[1]).toMatchObject({
      workspace: { kind: "empty" },
      task: { kind: "prompt", text: "say hello" },
      timeoutMs: 30_000,
    });
  });

  test("takes a single agent with its type and configuration", () => {
    const suite = load(
      "name: one\nagent: { type: gemini, config: { model: flash } }\ncases: [{ id: a, prompt: b }]\n",
    );
    expect(suite.agents).toMatchObject([
      { id: "gemini", agent: "gemini", config: { model: "flash" } },
    ]);
  });

  test("multiplies its agents by the matrix, and an entry by its own", () => {
    const suite = load(`name: wide
matrix: { agents: { model: [sonnet, opus] } }
agents:
  - { id: a, agent: claude-code, matrix: { config.max_turns: [1, 2] } }
  - { id: b, agent: replay }
cases: [{ id: c, prompt: d }]
`);
    expect(suite.agents.map(({ id, config }) => [id, config])).toEqual([
      ["a[model=sonnet,max_turns=1]", { max_turns: 1, model: "sonnet" }],
      ["a[model=sonnet,max_turns=2]", { max_turns: 2, model: "sonnet" }],
      ["a[model=opus,max_turns=1]", { max_turns: 1, model: "opus" }],
      ["a[model=opus,max_turns=2]", { max_turns: 2, model: "opus" }],
      ["b[model=sonnet]", { model: "sonnet" }],
      ["b[model=opus]", { model: "opus" }],
    ]);
  });

  test("includes the cases of other files, in the order of their names", () => {
    writeFileSync(join(folder, "part-b.yaml"), "cases: [{ id: second, prompt: x }]\n");
    writeFileSync(join(folder, "part-a.yaml"), "cases: [{ id: first, prompt: x }]\n");
    const suite = load("name: parts\nagents: [{ agent: replay }]\ninclude: [part-*.yaml]\n");
    expect(suite.cases.map(({ id }) => id)).toEqual(["first", "second"]);
  });

  test("multiplies by what is deep inside, and names what makes no name by its place", () => {
    const suite = load(`name: deep
agents: [{ agent: command, matrix: { config.argv: [[echo, a], [echo, b]] } }]
cases:
  - id: c
    prompt: d
    evaluators: [{ run: x }, { run: y, weight: 3 }]
    matrix: { evaluators.1.weight: [1, 2], prompt: ["two words", one] }
`);
    expect(suite.agents.map(({ id, config }) => [id, config])).toEqual([
      ["command[argv=#1]", { argv: ["echo", "a"] }],
      ["command[argv=#2]", { argv: ["echo", "b"] }],
    ]);
    expect(suite.cases.map(({ id, evaluators: [, second] }) => [id, second?.weight])).toEqual([
      ["c[weight=1,prompt=#1]", 1],
      ["c[weight=1,prompt=one]", 1],
      ["c[weight=2,prompt=#1]", 2],
      ["c[weight=2,prompt=one]", 2],
    ]);
  });

  test("reads what an included case names from where that case is written", () => {
    writeFileSync(
      join(folder, "parts/case.yaml"),
      `cases:
  - { id: a, prompt: x, solution: solve.sh, workspace: { template: tree }, evaluators: [{ tree: ./tree }] }
`,
    );
    const { cases } = load(`${AGENTS}include: ["parts/*.yaml", parts/case.yaml]\n`);
    expect(cases).toMatchObject([
      {
        solution: join(folder, "parts/solve.sh"),
        workspace: { folder: join(folder, "parts/tree") },
        evaluators: [{ options: { command: "parts/tree" } }],
      },
    ]);
  });

  test("does not include itself", () => {
    const cases = "cases: [{ id: own, prompt: x }]\n";
    writeFileSync(join(folder, "suite-part.yaml"), "cases: [{ id: other, prompt: x }]\n");
    const suite = load(`${AGENTS}include: ["suite*.yaml"]\n${cases}`);
    expect(suite.cases.map(({ id }) => id)).toEqual(["own", "other"]);
  });

  test.each([
    ["repo", "repo"],
    ["../up:here/repo", "../up:here/repo"],
    ["https://example.com/a.git", null],
    ["git@example.com:a.git", null],
  ])("takes %j for a repository as git would", (git, path) => {
    const { cases } = load(
      `${AGENTS}cases: [{ id: a, prompt: x, workspace: { git: "${git}" } }]\n`,
    );
    expect(cases[0]?.workspace).toMatchObject({
      source: path === null ? git : join(folder, path),
    });
  });

  test("may begin with a byte order mark and end its lines as Windows does", () => {
    const text = `\uFEFF${AGENTS}cases:\n  - id: a\n    prompt: |\n      one\n      two\n`;
    const { cases } = load(text.replaceAll("\n", "\r\n"));
    expect(cases[0]?.task).toEqual({ kind: "prompt", text: "one\ntwo\n" });
  });

  test("fills in declared variables, and none where a shell would read them", () => {
    const suite = load(
      `name: vars
variables: [WHICH]
agents: [{ agent: replay, model: "\${WHICH}" }]
cases: [{ id: a, prompt: "use \${WHICH} and \${OTHER}", setup: ["echo \${WHICH}"] }]
post: [{ webhook: "http://host/\${WHICH}" }, { run: "echo \${WHICH}" }]
`,
      { WHICH: "opus; rm x", OTHER: "never" },
    );
    expect(suite.post).toEqual([
      { kind: "webhook", url: "http://host/opus; rm x" },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
      { kind: "run", command: "echo ${WHICH}" },
    ]);
    expect(suite.agents[0]?.config).toEqual({ model: "opus; rm x" });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
    const prompt = "use opus; rm x and ${OTHER}";
    expect(suite.cases[0]?.task).toEqual({ kind: "prompt", text: prompt });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
    expect(suite.cases[0]?.setup[0]?.run).toBe("echo ${WHICH}");
  });
});

const ten = Array.from({ length: 10 }, (_, at) => at);
const WIDE = { a: ten, b: ten, c: ten, d: ten };

describe("what is wrong with a suite is said with its place", () => {
  test.each([
    ["name: s\nagents: [\n", "suite.yaml:3:1: not YAML"],
    ["nam: s\n", "suite.yaml:1:1: unknown key `nam`; did you mean `name`?"],
    ["name: s\n", "suite.yaml:1:1: the suite has no agents"],
    [AGENTS, "suite.yaml:1:1: the suite has no cases"],
    [
      "name: s\nagents: [{ agent: replai }]\n",
      "suite.yaml:2:19: unknown agent `replai`; did you mean `replay`?",
    ],
    [
      "name: s\nagent: { type: claud-code }\n",
      "suite.yaml:2:16: unknown agent `claud-code`; did you mean `claude-code`?",
    ],
    [
      `${AGENTS}cases:\n  - { id: a, prompt: x }\n  - { id: a, prompt: y }\n`,
      "suite.yaml:5:11: case `a` is there twice",
    ],
    [
      `${AGENTS}cases:\n  - id: a\n    prompt: x\n    timeout: 30\n`,
      "suite.yaml:6:14: `timeout` must be a duration such as `30s` or `10m`",
    ],
    [
      `${AGENTS}cases:\n  - id: a\n    prompt: x\n    command: y\n`,
      "suite.yaml:5:5: give `command` or `prompt`, not both",
    ],
    [
      `${AGENTS}cases: [{ id: a }]\n`,
      "suite.yaml:3:9: case `a` asks for nothing: give `command`, `prompt` or `prompt_file`",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt_file: gone.md }]\n`,
      "suite.yaml:3:31: `prompt_file` cannot be read: it does not exist",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, workspace: { template: a, git: b } }]\n`,
      "suite.yaml:3:29: `workspace` needs exactly one of `template` and `git`",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, evaluators: [{ rum: y }] }]\n`,
      "suite.yaml:3:44: unknown evaluator `rum`; did you mean `run`?",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, evaluators: [{ run: 4 }] }]\n`,
      "suite.yaml:3:49: `run` must be a command",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, evaluators: [{ weight: 4 }] }]\n`,
      "suite.yaml:3:42: an evaluator is a map with exactly one type, beside `weight` and `id`; known are `run`, `tree`",
    ],
    [
      "name: s\nmatrix: { agents: { agent: [replay, nobody] } }\nagents: [{ id: a, agent: x }]\n",
      "suite.yaml:2:37: unknown agent `nobody`",
    ],
    [
      `${AGENTS}variables: [GONE]\n`,
      "suite.yaml:3:13: the environment has no `GONE`; set it, or take it out of `variables`",
    ],
    [`${AGENTS}include: [gone-*.yaml]\n`, "suite.yaml:3:11: `gone-*.yaml` matches no other file"],
    [`${AGENTS}include: [suite.yaml]\n`, "suite.yaml:3:11: `suite.yaml` matches no other file"],
    [
      `${AGENTS}include: [gone.yaml]\n`,
      "suite.yaml:3:11: `gone.yaml` cannot be read: it does not exist",
    ],
    [`agent: { type: replay }\n${AGENTS}`, "suite.yaml:1:1: give `agent` or `agents`, not both"],
    [
      "name: s\nagents:\n  - agent: codex\n    config: { max_turn: 3 }\n",
      "suite.yaml:4:15: `max_turn`: unknown key; did you mean `max_turns`?",
    ],
    [
      "name: s\nagents: [{ agent: { type: codex, config: { prompt: x } } }]\n",
      "suite.yaml:2:44: `prompt` belongs to a case",
    ],
    [
      "name: s\nagents: [{ agent: claude-code, model: 4, matrix: { modell: [a] } }]\n",
      "suite.yaml:2:61: unknown key `modell`; did you mean `model`?",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, workspace: { template: gone } }]\n`,
      "suite.yaml:3:52: `template` cannot be read: it does not exist",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, workspace: { template: blank.md } }]\n`,
      "suite.yaml:3:52: `template` cannot be read: it is not a folder",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, solution: gone.sh }]\n`,
      "suite.yaml:3:39: `solution` cannot be read: it does not exist",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, evaluators: [{ tree: gone }] }]\n`,
      "suite.yaml:3:50: `gone` cannot be read: it does not exist",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt_file: blank.md }]\n`,
      "suite.yaml:3:31: `prompt_file` is empty",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, evaluators: [{ run: x, weight: .inf }] }]\n`,
      "suite.yaml:3:60: `weight` must be a number from 0",
    ],
    [
      `${AGENTS}limits: { usd: 0 }\n`,
      "suite.yaml:3:16: `usd` must be a number above 0, without `$`",
    ],
    [
      `${AGENTS}repeat: 1000000000\n`,
      "suite.yaml:3:9: `repeat` must be a whole number from 1 to 10000",
    ],
    [
      `${AGENTS}cases:\n  - id: a\n    prompt: x\n    matrix: ${JSON.stringify(WIDE)}\n`,
      "suite.yaml:6:5: the matrix makes 10000 of one entry, at most 1000 are allowed",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: x, workspace: { git: "\${HOST}/x" } }]\n`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
      "suite.yaml:3:47: `${HOST}` is not declared; add `HOST` to `variables`",
    ],
    [
      Buffer.from(`${AGENTS}cases: [{ id: a, prompt: gr\u00fc\u00df }]\n`, "latin1"),
      "suite.yaml: the suite cannot be read: it is not UTF-8 text",
    ],
    [
      `${AGENTS}cases: [{ id: a, prompt: b }]\npost: [{ run: a, append: b }]\n`,
      "suite.yaml:4:8: a post step is one of `webhook`, `append` and `run`",
    ],
  ])("%j", (text: string | Uint8Array, expected: string) => {
    expect(faultIn(text)).toContain(expected);
  });
});
