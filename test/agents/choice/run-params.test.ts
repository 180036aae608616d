import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENTS } from "../../../src/agents/roster.ts";
import { programVariable } from "../../../src/agents/run/availability.ts";
import { type Home, makeHome } from "../../program/adj.ts";
import { sampled } from "../../support/tier.ts";

/** An agent's program that tells its version, and else writes down what it was started with. */
const AGENT = `#!/bin/sh
[ "$1" = --version ] && { echo 9.9.9; exit; }
for word in "$@"; do echo "$word"; done > seen
env >> seen
cat > /dev/null
`;

function homeOf(agent: string, files: Readonly<Record<string, string>> = {}) {
  const home = makeHome();
  home.write({ "project/program": AGENT, ...files });
  const program = join(home.project, "program");
  chmodSync(program, 0o755);
  const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };
  const env = { ...home.env, ...keys, [programVariable(agent)]: program };
  const adj = (...words: string[]) => home.adjIn({ env }, ...words);
  const seen = () => readFileSync(join(home.project, "seen"), "utf8");
  return { home, env, adj, seen };
}

const eventsOf = async (home: Home) =>
  (await home.events()).filter(({ type }) => type === "ParamsChanged").map(({ data }) => data);

/** A param of each agent, and how its program sees it. */
const SEEN: Readonly<Record<string, readonly [string, string]>> = {
  "claude-code": ["max_turns=7", "--max-turns\n7\n"],
  codex: ["effort=high", '-c\nmodel_reasoning_effort="high"\n'],
  gemini: ["add_dirs=/else", "--include-directories=/else\n"],
  qwen: ["append_system_prompt=be brief", "--append-system-prompt\nbe brief\n"],
  copilot: ["effort=high", "--reasoning-effort\nhigh\n"],
  opencode: ["max_tokens=321", "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX=321\n"],
};

test.each(sampled(AGENTS.filter(({ hooks }) => hooks !== undefined).map(({ name }) => [name])))(
  "a param of the session is seen by the program of %s",
  async (agent) => {
    const { adj, seen } = homeOf(agent);
    const [param = "", expected = "…"] = SEEN[agent] ?? [];
    await adj("provider", agent);
    expect((await adj("params", param)).exitCode).toBe(0);
    await adj("agent", "run", agent, "--prompt", "x");
    expect(seen()).toContain(expected);
  },
);

test("`--param` counts over the session, `--set` over both, and only the flag is announced", async () => {
  const { home, adj, seen } = homeOf("claude-code");
  await adj("params", "max_turns=2", "effort=low");
  const run = (...words: string[]) =>
    adj("agent", "run", "claude-code", "--prompt", "x", "--param", "max-turns=3", ...words);
  await run();
  expect(seen()).toContain("--max-turns\n3\n");
  expect(seen()).toContain("--effort\nlow\n");
  await run("--set", "max_turns=4");
  expect(seen()).toContain("--max-turns\n4\n");
  const flags = (await eventsOf(home)).filter(({ sourceLayer }) => sourceLayer === "flag");
  const event = { paramPath: "max_turns", sourceLayer: "flag" };
  const redactedDelta = { from: "number", to: "number" };
  expect(flags).toEqual([
    { ...event, redactedDelta },
    { ...event, redactedDelta },
  ]);
});

test("a flag without a place is refused, a param of the session is left out and said so", async () => {
  const { adj, seen } = homeOf("codex");
  await adj("params", "max_turns=2");
  const run = await adj("agent", "run", "codex", "--prompt", "x");
  expect(run.stderr).toContain(
    "adj: param `max_turns` is left out: `codex` has no place for `max_turns`\n",
  );
  expect(seen()).toContain("exec\n");
  const refused = await adj("agent", "run", "codex", "--prompt", "x", "--param", "max_turns=2");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("`codex` has no place for `max_turns`");
});

test("a variable's value reaches the agent and nothing that is kept", async () => {
  const { home, env, adj, seen } = homeOf("claude-code");
  await adj("params", "append_system_prompt=env:MY_WORDS");
  const secret = "quite private words";
  await home.adjIn(
    { env: { ...env, MY_WORDS: secret } },
    ...["agent", "run", "claude-code", "--prompt", "x"],
  );
  expect(seen()).toContain(`--append-system-prompt\n${secret}\n`);
  const files = readdirSync(home.stateDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    expect(readFileSync(join(file.parentPath, file.name)).includes(secret)).toBe(false);
});

test("a Markdown command has params below its front matter, and `--param` above it", async () => {
  const { home, adj } = homeOf("claude-code", {
    "config/commands/x.md": "---\ndescription: d\nagent: claude-code\nmax-turns: 3\n---\nSay it.\n",
    "config/config.yaml":
      "params:\n  effort: low\n  append_system_prompt: from settings\ncommands:\n  claude:\n    effort: medium\n",
  });
  await adj("params", "max_turns=2", "output_schema.type=object");
  const argsOf = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await adj("x", "--dry-run", "--json", ...words)).stdout).result.metadata.args;
  const plain = (await argsOf()).join(" ");
  expect(plain).toContain("--max-turns 3");
  expect(plain).toContain("--append-system-prompt from settings");
  expect(plain).toContain('--json-schema {"type":"object"}');
  // Defaults of a program lie over params of the settings, and below those of the session.
  expect(plain).toContain("--effort medium");
  await adj("params", "effort=high");
  expect((await argsOf()).join(" ")).toContain("--effort high");
  const flagged = await argsOf("--param", "max_turns=9", "--param", "effort=max");
  expect(flagged.join(" ")).toMatch(/--max-turns 9.*--effort max/);
  expect(flagged.filter((word) => word === "--effort" || word === "--max-turns")).toHaveLength(2);
  expect((await eventsOf(home)).some(({ sourceLayer }) => sourceLayer === "flag")).toBe(false);
  await adj("x", "--param", "max_turns=9");
  expect((await eventsOf(home)).at(-1)).toEqual({
    paramPath: "max_turns",
    sourceLayer: "flag",
    redactedDelta: { from: "number", to: "number" },
  });
});
