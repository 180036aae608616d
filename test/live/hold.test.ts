// A question of a hook that waits in the inbox for minutes, on the real CLIs whose entries can say so: a person answers from
// a shell, after more than the minute that a hook has by default, and the tool then runs.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProcess } from "../../src/core/process/run.ts";
import { openState } from "../../src/core/store/state.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { ADJ, run } from "../program/adj.ts";
import { markRepository, temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { findLabCli, type LabAgent, missingMessage } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

interface HoldingAgent {
  readonly agent: LabAgent;
  /** What a person's trust would allow. */
  readonly extra: readonly string[];
  /** Where the entries stand. */
  readonly flags: readonly string[];
}

const project = ["--project"];
/** The folder's trust, for the runs of a project's own hooks. */
const TRUST = {
  GEMINI_CLI_TRUST_WORKSPACE: "true",
  GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true",
};

// biome-ignore format: a table, one agent a line
const AGENTS: readonly HoldingAgent[] = [
  { agent: "claude-code", extra: [], flags: [] },
  { agent: "codex", extra: ["--dangerously-bypass-hook-trust"], flags: [] },
  { agent: "gemini", extra: [], flags: [] },
  { agent: "copilot", extra: [], flags: [] },
  { agent: "opencode", extra: [], flags: [] },
  { agent: "claude-code", extra: [], flags: project },
  { agent: "codex", extra: ["--dangerously-bypass-hook-trust"], flags: project },
  { agent: "gemini", extra: [], flags: project },
  { agent: "copilot", extra: [], flags: project },
  { agent: "opencode", extra: [], flags: project },
];

/** By hand longer than any hook waits by default: `ADJ_TEST_SLOW_MS=65000`. */
const SLOW_MS = Number(process.env.ADJ_TEST_SLOW_MS ?? 2_000);
const ASK = `hooks:
  - { name: look, on: before_tool, match: { command: "echo*" }, run: { builtin: require-approval } }
`;
const SCENARIO = `
turns:
  - tool_calls: [{ tool: shell, command: "echo ran > ran.txt" }]
  - text: Done.
`;

/** A home with the setting, the rule, and then the entries; as a person does it. */
async function install({ agent, flags }: HoldingAgent, url: string) {
  const PATH = [dirname(process.execPath), dirname(ADJ), process.env.PATH].join(delimiter);
  const { CI: _, ...source } = process.env;
  const isolated = await makeIsolatedHome({ agent, url, source: { ...source, PATH } });
  const folder = temporaryFolder();
  const [stateDir, configDir, workspace] = ["state", "config", "project"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  markRepository(workspace);
  mkdirSync(configDir);
  writeFileSync(join(configDir, "hooks.yaml"), ASK);
  writeFileSync(join(configDir, "config.yaml"), "inbox: { hold: 3m }\n");
  const own = { ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir };
  const trusted = `\n[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
  mkdirSync(join(isolated.home, ".codex"), { recursive: true });
  appendFileSync(join(isolated.home, ".codex", "config.toml"), trusted);
  const env = { ...isolated.env, ...TRUST, ...own, ADJ_DATA_DIR: join(folder, "data") };
  const adj = (...words: string[]) => run(ADJ, words, { cwd: workspace, env });
  const store = openState(stateDir);
  onTestFinished(async () => {
    store.close();
    await adj("resident", "stop");
    await isolated.remove();
  });
  const { exitCode, stderr } = await adj("install", agent, ...flags);
  expect(exitCode, stderr).toBe(0);
  return { env, workspace, adj, listOpen: () => store.questions.listOpen() };
}

async function runHeld(
  holding: HoldingAgent,
  { answer, afterMs }: { readonly answer: "yes" | "no"; readonly afterMs: number },
) {
  const { agent, extra } = holding;
  const cli = findLabCli(agent);
  if (cli === null) throw new Error(missingMessage(agent));
  const sim = await startSim(parseScenario(SCENARIO, "hold"));
  onTestFinished(() => sim.close());
  const { env, workspace, adj, listOpen } = await install(holding, sim.url);
  const [executable = "", first = "", ...rest] = cli.commandFor(PROMPT);
  const running = runProcess(
    { executable, args: [first, ...extra, ...rest], env, cwd: workspace },
    { timeoutMs: 90_000 + afterMs, stdin: "" },
  );
  const over = running.then(({ stdout, stderr }) => {
    const text = [stdout, stderr].map((bytes) => Buffer.from(bytes).toString()).join("\n");
    return text.slice(-3_000);
  });
  let account: string | null = null;
  void over.then((text) => (account = text));
  await waitUntil(() => listOpen().length > 0 || account !== null, 60_000);
  const [question] = listOpen();
  if (question === undefined) throw new Error(`nothing was asked: ${account}`);
  await pause(afterMs);
  const didRunBefore = existsSync(join(workspace, "ran.txt"));
  const answered = await adj("answer", question.id, answer);
  const ending = await running;
  return {
    answered: answered.exitCode,
    didRunBefore,
    didRun: existsSync(join(workspace, "ran.txt")),
    ending: [ending.kind, ending.exitCode],
    told: JSON.stringify(sim.requests().map(({ request }) => request?.messages.slice(-2))),
    account: `${answered.stderr}\n${await over}`,
  };
}

describe.each(AGENTS)("$agent $flags", (holding) => {
  if (findLabCli(holding.agent) === null) {
    test.skip(missingMessage(holding.agent));
    return;
  }
  test(
    "waits with its tool until a person says yes in a shell, and then runs it",
    async () => {
      const {
        account,
        told: _,
        ...seen
      } = await runHeld(holding, { answer: "yes", afterMs: SLOW_MS });
      const expected = { answered: 0, didRunBefore: false, didRun: true, ending: ["exited", 0] };
      expect(seen, account).toEqual(expected);
    },
    180_000 + SLOW_MS,
  );

  test("runs nothing after a no, and the model is told", async () => {
    const { account, told, didRun, answered } = await runHeld(holding, {
      answer: "no",
      afterMs: 0,
    });
    expect([answered, didRun], account).toEqual([0, false]);
    expect(told, account).toContain("the person said no");
  });
});
