// The one executor of agent CLIs: command line → process → events → result. A failed run is a result
// like any other; only a bug rejects.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../process/run-process.ts";
import type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentExecutionResult,
  ExecuteOptions,
} from "./adapter.ts";
import { describeExecution, describeRunEnding, joinOutput } from "./execution.ts";
import { freezeDeep } from "./freeze.ts";
import { RunReader } from "./run-reader.ts";
import { withTempFolder } from "./temp-folder.ts";
import { OUTPUT_LIMIT } from "./truncation.ts";

/** Runs an agent once. What it prints is parsed as it passes, and saved as it came. */
export async function executeAgent(
  adapter: AgentAdapter,
  context: AgentExecutionContext,
  options: ExecuteOptions = {},
): Promise<AgentExecutionResult> {
  if (adapter.execute !== undefined) return adapter.execute(context, options);
  const command = adapter.buildCommand(context);
  await mkdir(context.logDir, { recursive: true });
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
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const format = command.outputFormat;
  const now = () => new Date().toISOString();
  const reader = new RunReader(adapter, { format, now, onEvent: options.onEvent });
  const files = { stdout: join(context.logDir, "stdout"), stderr: join(context.logDir, "stderr") };
  const ended = await runProcess(command, {
    runId: context.runId,
    timeoutMs: command.timeout,
    keepBytes: OUTPUT_LIMIT,
    rawFiles: limitRaw(files, options.rawLimitBytes),
    onChunk: (channel, bytes) =>
      channel === "stdout" ? reader.readStdout(bytes) : reader.readStderr(bytes),
    ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (ended.truncated)
    reader.noteError("OUTPUT_TRUNCATED", `only the first ${OUTPUT_LIMIT} bytes of output are kept`);
  if (ended.ioProblem !== null) reader.noteError("UNKNOWN", ended.ioProblem);
  const ending = describeRunEnding(ended);
  const report = await readReport(command.reportPath);
  const { status, collected } = reader.conclude({ ending, report, timeoutMs: command.timeout });
  const isStarted = ended.kind !== "not_started";
  return freezeDeep({
    execution: describeExecution(ended, ending, status),
    stdoutPath: isStarted ? files.stdout : null,
    stderrPath: isStarted ? files.stderr : null,
    output: joinOutput(ended),
    truncated: ended.truncated,
    errors: collected.errors,
    collected,
  });
}

const limitRaw = (files: { stdout: string; stderr: string }, limitBytes: number | undefined) =>
  limitBytes === undefined ? files : { ...files, limitBytes };

/** A report is a bonus: an agent that died before writing it has still run. */
const readReport = (path: string | null): Promise<string | null> =>
  path === null ? Promise.resolve(null) : readFile(path, "utf8").catch(() => null);
