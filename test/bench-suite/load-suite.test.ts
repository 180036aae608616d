import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Evaluator } from "../../src/bench/evaluator.ts";
import type { Suite } from "../../src/bench/suite.ts";
import { loadSuite } from "../../src/bench/suite-file/load-suite.ts";
import { Fault, formatFault } from "../../src/command/fault.ts";

const folder = mkdtempSync(join(tmpdir(), "adj-suite-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes text only. */
const run: Evaluator = {
  type: "run",
  description: "runs",
  readOptions: (raw) =>
    typeof raw === "string"
      ? { kind: "options", options: { command: raw } }
      : { kind: "invalid", path: [], problem: "`run` must be a command" },
  files: () => [],
  grade: () => Promise.reject(new TypeError("not asked for here")),
};
const evaluators = { find: (type: string) => (type === "run" ? run : null), types: () => ["run"] };

function load(text: string, env: Record<string, string> = {}): Suite {
  writeFileSync(join(folder, "suite.yaml"), text);
  return loadSuite(join(folder, "suite.yaml"), { env, evaluators });
}

function problemOf(text: string, env: Record<string, string> = {}): string {
  try {
    load(text, env);
  } catch (error) {
    if (error instanceof Fault) return formatFault(error).replaceAll(`${folder}/`, "");
    throw error;
  }
  return "no problem";
}

const WHOLE = `adjutant: 1
name: fix-bugs
agents:
  - { id: quick, agent: replay, model: small, config: { max_turns: 3 } }
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
        agent: "replay",
        config: { max_turns: 3, model: "small" },
        concurrency: null,
        ratePerMinute: null,
      },
      { id: "codex", agent: "codex", config: {}, concurrency: null, ratePerMinute: null },
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
matrix: { agents: { model: [small, large] } }
agents:
  - { id: a, agent: replay, matrix: { config.max_turns: [1, 2] } }
  - { id: b, agent: replay }
cases: [{ id: c, prompt: d }]
`);
    expect(suite.agents.map(({ id, config }) => [id, config])).toEqual([
      ["a[model=small,max_turns=1]", { max_turns: 1, model: "small" }],
      ["a[model=small,max_turns=2]", { max_turns: 2, model: "small" }],
      ["a[model=large,max_turns=1]", { max_turns: 1, model: "large" }],
      ["a[model=large,max_turns=2]", { max_turns: 2, model: "large" }],
      ["b[model=small]", { model: "small" }],
      ["b[model=large]", { model: "large" }],
    ]);
  });

  test("includes the cases of other files, in the order of their names", () => {
    writeFileSync(join(folder, "part-b.yaml"), "cases: [{ id: second, prompt: x }]\n");
    writeFileSync(join(folder, "part-a.yaml"), "cases: [{ id: first, prompt: x }]\n");
    const suite = load("name: parts\nagents: [{ agent: replay }]\ninclude: [part-*.yaml]\n");
    expect(suite.cases.map(({ id }) => id)).toEqual(["first", "second"]);
  });

  test("fills in declared variables, and none where a shell would read them", () => {
    const suite = load(
      `name: vars
variables: [WHICH]
agents: [{ agent: replay, model: "\${WHICH}" }]
cases: [{ id: a, prompt: "use \${WHICH} and \${OTHER}", setup: ["echo \${WHICH}"] }]
`,
      { WHICH: "opus; rm x", OTHER: "never" },
    );
    expect(suite.agents[0]?.config).toEqual({ model: "opus; rm x" });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
    const prompt = "use opus; rm x and ${OTHER}";
    expect(suite.cases[0]?.task).toEqual({ kind: "prompt", text: prompt });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
    expect(suite.cases[0]?.setup[0]?.run).toBe("echo ${WHICH}");
  });
});

const AGENTS = "name: s\nagents: [{ agent: replay }]\n";

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
      "suite.yaml:3:42: an evaluator is a map with exactly one type, beside `weight` and `id`; known are `run`",
    ],
    [
      "name: s\nmatrix: { agents: { agent: [replay, nobody] } }\nagents: [{ id: a, agent: x }]\n",
      "suite.yaml:2:37: unknown agent `nobody`",
    ],
    [
      `${AGENTS}variables: [GONE]\n`,
      "suite.yaml:3:13: the environment has no `GONE`; set it, or take it out of `variables`",
    ],
    [`${AGENTS}include: [gone-*.yaml]\n`, "suite.yaml:3:11: `gone-*.yaml` matches no file"],
    [
      `${AGENTS}cases: [{ id: a, prompt: b }]\npost: [{ run: a, append: b }]\n`,
      "suite.yaml:4:8: a post step is one of `webhook`, `append` and `run`",
    ],
  ])("%j", (text, expected) => {
    expect(problemOf(text)).toContain(expected);
  });
});
