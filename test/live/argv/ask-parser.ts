import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { stripAnsi } from "../../../src/agents/log/text.ts";
import type { AgentAdapter } from "../../../src/agents/run/adapter.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { adapterOf } from "../../support/agents.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { type LabCli, pinnedVersion } from "../lab.ts";
import { FILES } from "./parsers.ts";

/** No CLI needs so long for its arguments. */
const TIME_LIMIT = 60_000;

interface Answer {
  readonly args: readonly string[];
  /** Both channels, clean. */
  readonly printed: string;
  readonly exitCode: number | null;
}

export interface Asker {
  /** Runs the CLI with these very words and an empty stdin. */
  askWords(args: readonly string[]): Promise<Answer>;
  /** Runs what the adapter makes of a configuration, with an empty stdin instead of the prompt. */
  askConfig(config: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** One home for all questions of a test: some CLIs unpack themselves into a new one. */
export async function makeAsker(cli: LabCli): Promise<Asker> {
  const adapter = adapterOf(cli.agent);
  const workspace = temporaryFolder();
  writeFiles(workspace, FILES);
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const source = { ...process.env, PATH };
  // Nobody listens there: the arguments are looked at before anything is asked.
  const home = await makeIsolatedHome({ agent: cli.agent, url: "http://127.0.0.1:9", source });
  onTestFinished(() => home.remove());
  // Claude Code refuses root some modes outside of a sandbox.
  const env: Readonly<Record<string, string>> = { ...home.env, IS_SANDBOX: "1" };
  const ask = async (command: { readonly args: readonly string[]; readonly env: typeof env }) => {
    const { args } = command;
    const spec = { executable: cli.program, args, env: command.env, cwd: workspace };
    const ending = await runProcess(spec, { stdin: "", timeoutMs: TIME_LIMIT });
    const printed = stripAnsi(Buffer.concat([ending.stdout, ending.stderr]).toString("utf8"));
    return { args, printed, exitCode: ending.exitCode };
  };
  return {
    askWords: (args) => ask({ args, env }),
    askConfig: (config) => ask(buildWords(adapter, { config, cli, workspace, env })),
  };
}

interface Place {
  readonly config: Readonly<Record<string, unknown>>;
  readonly cli: LabCli;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

function buildWords(adapter: AgentAdapter, { config, cli, workspace, env }: Place) {
  const agentVersion = pinnedVersion(cli.agent);
  const place = { agentVersion, isRoot: process.getuid?.() === 0, env };
  const check = adapter.checkConfig({ prompt: "anything", ...config }, place);
  if (check.kind === "invalid")
    throw new Error(check.problems.map(({ path, message }) => `${path} ${message}`).join("; "));
  const logDir = join(env.TMPDIR ?? workspace, "log");
  mkdirSync(logDir, { recursive: true });
  const command = adapter.buildCommand({
    workspaceDir: workspace,
    config: check.config,
    timeout: TIME_LIMIT,
    env,
    runId: "argv",
    logDir,
    program: cli.program,
    agentVersion,
  });
  for (const { path, text } of command.files) writeFileSync(path, text);
  return { args: command.args, env: { ...env, ...command.env } };
}
