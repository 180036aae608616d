// A real CLI with the entry of our MCP server that `adj install --mcp` wrote, and a person beside it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { runProcess } from "../../src/core/process/run.ts";
import { openState } from "../../src/core/store/state.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { ADJ, start } from "../program/adj.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { LabCli } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

const COMMANDS = `
hello: { description: Say hello, argv: [echo, hello-from-adj], safety: read_only }
wipe: { description: Wipe it, shell: sh, command: "echo x >>wiped; echo wiped-it", safety: destructive }
slow: { description: Take long, shell: sh, command: "while ! test -e open; do sleep 0.1; done; echo slow-is-done", safety: read_only }
`;

export interface McpDrive {
  readonly exitCode: number | null;
  /** What the model was told of its calls, request by request. */
  readonly told: readonly string[];
  readonly workspace: string;
  readonly account: string;
}

interface McpPlan {
  readonly cli: LabCli;
  /** Before the prompt. */
  readonly extra: readonly string[];
  readonly scenario: string;
  /** What the person says to each question, in turn. */
  readonly answers: readonly ("yes" | "no")[];
  /** At this request of the model the slow command may end. */
  readonly opensAt: number;
  /** And not before so long after it began. */
  readonly slowMs?: number;
}

const LIMIT_MS = 240_000;

export async function driveMcp(plan: McpPlan): Promise<McpDrive> {
  const { cli } = plan;
  const sim = await startSim(parseScenario(plan.scenario, "mcp"));
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  const folder = temporaryFolder("adjutant-mcp-");
  const workspace = join(folder, "project");
  const stateDir = join(folder, "state");
  const configDir = join(folder, "config");
  mkdirSync(workspace);
  mkdirSync(configDir);
  writeFileSync(join(configDir, "commands.yaml"), COMMANDS);
  const { CI: _, ...own } = isolated.env;
  const folders = { ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir };
  const env = { ...own, ...folders, ADJ_HOST_IDLE: "60s" };
  const adj = (...words: string[]) => start(ADJ, words, { cwd: workspace, env }).ended;
  const store = openState(stateDir);
  const over = new AbortController();
  onTestFinished(async () => {
    over.abort();
    store.close();
    await adj("serve", "stop");
    await sim.close();
    await isolated.remove();
  });
  const installed = await adj("install", cli.agent, "--mcp");
  if (installed.exitCode !== 0) throw new Error(installed.stderr);
  const answers = [...plan.answers];
  const attend = async () => {
    while (!over.signal.aborted) {
      const [question] = store.questions.listOpen();
      const answer = question === undefined ? undefined : answers.shift();
      if (question !== undefined && answer !== undefined) await adj("answer", question.id, answer);
      const asked = sim.requests().filter(({ kind }) => kind === "turn").length;
      if (asked >= plan.opensAt && !existsSync(join(workspace, "open"))) {
        await pause(plan.slowMs ?? 0);
        writeFileSync(join(workspace, "open"), "");
      }
      await pause(100);
    }
  };
  const attending = attend();
  const [executable = "", ...words] = cli.commandFor(PROMPT);
  const at = words.indexOf("--allowedTools");
  const args =
    at === -1
      ? [...words.slice(0, 1), ...plan.extra, ...words.slice(1)]
      : words.with(at + 1, `${words[at + 1]},${plan.extra.join(",")}`);
  const { signal } = over;
  const ending = await runProcess(
    { executable, args, env, cwd: workspace },
    { signal, timeoutMs: LIMIT_MS, stdin: "" },
  );
  over.abort();
  await attending;
  const turns = sim.requests().filter(({ kind }) => kind === "turn");
  const told = turns.map(({ request }) => JSON.stringify(request?.messages.slice(-2) ?? []));
  const text = (bytes: Uint8Array | undefined) =>
    Buffer.from(bytes ?? [])
      .toString()
      .slice(-3_000);
  const account = JSON.stringify(
    {
      told,
      answered: turns.map(({ answered }) => answered),
      ending: [ending.kind, ending.exitCode],
      stdout: text(ending.stdout),
      stderr: text(ending.stderr),
    },
    null,
    1,
  );
  return { exitCode: ending.exitCode, told, workspace, account };
}
