// The one executor of agent CLIs: command line → process → events → result. A failed run is a result
// like any other; only a bug rejects.
import { mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentExecutionResult,
  ExecuteOptions,
} from "./adapter.ts";
import { describeRunEnding } from "./execution.ts";
import { concludeReading, readProcess } from "./read-process.ts";
import { RunReader } from "./run-reader.ts";
import { withTempFolder } from "./temp-folder.ts";

/** Runs an agent once. */
export async function executeAgent(
  adapter: AgentAdapter,
  context: AgentExecutionContext,
  options: ExecuteOptions = {},
): Promise<AgentExecutionResult> {
  if (adapter.execute !== undefined) return adapter.execute(context, options);
  const command = adapter.buildCommand(context);
  mkdirSync(context.logDir, { recursive: true });
  for (const { path, text } of command.files) await writeFile(path, text, { mode: 0o600 });
  return withTempFolder(context.env.TMPDIR, (folder) => {
    const env = { ...command.env, TMPDIR: folder };
    return runCommand(adapter, { context, command: { ...command, env } }, options);
  });
}

interface Run {
  readonly context: AgentExecutionContext;
  readonly command: AgentCommand;
}

async function runCommand(
  adapter: AgentAdapter,
  { context, command }: Run,
  { signal, onEvent, rawLimitBytes }: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const now = () => new Date().toISOString();
  const reader = new RunReader(adapter, { format: command.outputFormat, now, onEvent });
  const reading = { context, command, reader, stdin: command.stdin, signal, rawLimitBytes };
  const ended = await readProcess(reading);
  const report = await readReport(command.reportPath);
  return concludeReading(reading, { ended, ending: describeRunEnding(ended), report });
}

/** A report is a bonus: an agent that died before writing it has still run. */
const readReport = (path: string | null): Promise<string | null> =>
  path === null ? Promise.resolve(null) : readFile(path, "utf8").catch(() => null);
