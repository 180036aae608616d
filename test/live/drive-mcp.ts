// A real CLI with the entry of our MCP server that `adj install --mcp` wrote, and a person beside it.
import { appendFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
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
import { openTerminal } from "../support/tmux.ts";
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
  /** What the person says to each question, in turn: by `adj answer` in a shell, or by a key in the console. */
  readonly answers: readonly ("yes" | "no" | "key y")[];
  /** At this request of the model the slow command may end. */
  readonly opensAt: number;
  /** And not before so long after it began. */
  readonly slowMs?: number;
  /** Where the entry stands; the user's own file unless said otherwise. */
  readonly scope?: "user" | "project";
  /** Whether the person trusts the project's folder, as each agent asks; they do unless said otherwise. */
  readonly isTrusted?: boolean;
}

const LIMIT_MS = 240_000;
/** A window of the person in the same project; what it talks to itself does not matter. */
const CONSOLE = ["console", "--agent", "replay", "--session", "mine"];

/**
 * What a person answers when Codex 0.166 or Copilot 1.0.102 asks; the others connect a project's server without it in these
 * modes.
 */
function trustFolder(home: string, workspace: string): void {
  mkdirSync(join(home, ".codex"), { recursive: true });
  const table = `\n[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
  appendFileSync(join(home, ".codex", "config.toml"), table);
  mkdirSync(join(home, ".copilot"), { recursive: true });
  const trusted = JSON.stringify({ trustedFolders: [workspace] });
  writeFileSync(join(home, ".copilot", "config.json"), trusted);
}

export async function driveMcp(plan: McpPlan): Promise<McpDrive> {
  const { cli } = plan;
  const sim = await startSim(parseScenario(plan.scenario, "mcp"));
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  const folder = temporaryFolder("adjutant-mcp-");
  // By its real path, as Codex names a project that it trusts.
  const workspace = join(realpathSync(folder), "project");
  const stateDir = join(folder, "state");
  const configDir = join(folder, "config");
  mkdirSync(workspace);
  mkdirSync(configDir);
  writeFileSync(join(configDir, "commands.yaml"), COMMANDS);
  const { CI: _, ...own } = isolated.env;
  const folders = { ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir };
  // A project's entry names the program and not where it lies.
  const PATH = `${dirname(ADJ)}:${own.PATH}`;
  const env = { ...own, ...folders, PATH, ADJ_HOST_IDLE: "60s" };
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
  const flags = plan.scope === "project" ? ["--project"] : [];
  const installed = await adj("install", cli.agent, "--mcp", ...flags);
  if (installed.exitCode !== 0) throw new Error(installed.stderr);
  if (plan.scope === "project" && plan.isTrusted !== false) trustFolder(isolated.home, workspace);
  const answers = [...plan.answers];
  const terminal = plan.answers.includes("key y")
    ? openTerminal([ADJ, ...CONSOLE], { cwd: workspace, env })
    : null;
  await terminal?.shows("› ask for something");
  const given = new Map<string, string>();
  const attend = async () => {
    while (!over.signal.aborted) {
      const [question] = store.questions.listOpen();
      const known = given.get(question?.id ?? "");
      const answer = question === undefined ? undefined : (known ?? answers.shift());
      if (question !== undefined && answer !== undefined) given.set(question.id, answer);
      if (answer === "key y") {
        // Until it is taken: the question before may still be on the screen.
        if (terminal?.screen().includes("y yes · n no")) terminal.type("y");
      } else if (question !== undefined && answer !== undefined && known === undefined)
        await adj("answer", question.id, answer);
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
  const lead = words[0]?.startsWith("-") === true ? 0 : 1;
  const args =
    at === -1
      ? words.toSpliced(lead, 0, ...plan.extra)
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
