// The example suite with real agents in place of the recorded ones; only the model is scripted.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { runSim } from "../../src/sim/run-sim.ts";
import { readOutcome } from "../bench/run/bench-home.ts";
import { ADJ, makeHome } from "../program/adj.ts";
import { findLabCli } from "./lab.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "examples", "bench");
const TIME_LIMIT = 400_000;

const AGENTS = [
  {
    id: "claude",
    agent: "claude-code",
    config: { permission_mode: "allowlist", allowed_tools: ["Bash"] },
  },
  { id: "codex", agent: "codex", config: { permission_mode: "auto" } },
];

/** Behind `codex` the model knows only the shell; behind `claude` it solves everything. */
const isKnown = (agent: string, tags: readonly string[]): boolean =>
  agent === "claude-code" || tags.includes("shell");

interface ExampleCase {
  readonly id: string;
  readonly prompt: string;
  readonly tags: readonly string[];
}

function scriptModel(cases: readonly ExampleCase[]): object {
  const turns = cases.flatMap(({ id, prompt, tags }) =>
    AGENTS.filter(({ agent }) => isKnown(agent, tags)).map(({ agent }) => ({
      when: { user: { contains: prompt }, agent },
      tool_calls: [
        { tool: "shell", command: readFileSync(join(EXAMPLE, "cases", id, "solution.sh"), "utf8") },
      ],
    })),
  );
  return { turns: [...turns, { text: "That is all." }] };
}

const claude = findLabCli("claude-code");
const codex = findLabCli("codex");

test.skipIf(claude === null || codex === null)(
  "real agents run the example suite, and the better model is found",
  async () => {
    const home = makeHome();
    cpSync(EXAMPLE, home.project, { recursive: true });
    const suite = parse(readFileSync(join(EXAMPLE, "suite.yaml"), "utf8"));
    const limits = { timeout: "2m", concurrency: 1, infra_retries: 0 };
    const real = { ...suite, agents: AGENTS, repeat: 1, limits };
    writeFileSync(join(home.project, "suite.yaml"), JSON.stringify(real));
    home.write({ "scenario.yaml": JSON.stringify(scriptModel(suite.cases)) });
    const ending = await runSim({
      file: join(home.folder, "scenario.yaml"),
      command: [ADJ, "--json", "bench", "suite.yaml"],
      cwd: home.project,
      env: {
        ...home.env,
        // The scripts among the CLIs start with `env node`, which must be a new one.
        PATH: `${dirname(process.execPath)}:${home.env.PATH}`,
        ADJ_AGENT_CLAUDE_CODE: claude?.program,
        ADJ_AGENT_CODEX: codex?.program,
      },
      signal: new AbortController().signal,
      timeoutMs: TIME_LIMIT,
    });
    const printed = {
      exitCode: ending.exitCode,
      signal: null,
      stdout: Buffer.from(ending.process?.stdout ?? []).toString(),
      stderr: Buffer.from(ending.process?.stderr ?? []).toString(),
    };
    const { results, metadata } = readOutcome(printed);
    const endings = results.map(({ key, ending: end, reason }) => [key, end, reason]);
    expect(metadata.summary, JSON.stringify(endings)).toMatchObject({
      agents: [
        { agentId: "claude", tally: { passed: 6, trials: 6 }, coverage: 1 },
        { agentId: "codex", tally: { passed: 3, trials: 6 }, coverage: 1 },
      ],
    });
    for (const { agentVersion, tokens, turns, agentId, costUsd } of results) {
      expect(agentVersion).toMatch(/^\d+\.\d+\.\d+$/);
      expect(tokens).toBeGreaterThan(0);
      // Codex does not say what it cost, nor how many turns it took: unknown is not nothing.
      expect([costUsd, turns].every((figure) => figure === null)).toBe(agentId === "codex");
    }
  },
  TIME_LIMIT,
);
