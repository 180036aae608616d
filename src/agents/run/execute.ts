// The one executor of agent CLIs: command line → process → events → result. A failed run is a result
// like any other; only a bug rejects.
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type {
  CommandSpec,
  ProcessEnding,
  RawFiles,
  RunOptions,
} from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { freezeDeep } from "../../core/project/json-value.ts";
import type {
  AgentAdapter,
  AgentExecutionResult,
  AgentFile,
  AgentRunPlan,
  ExecuteOptions,
  WrapProgram,
} from "./adapter.ts";
import { describeExecution, describeRunEnding, joinOutput, type RunEnding } from "./ending.ts";
import { MAX_OUTPUT_BYTES } from "./output/plain.ts";
import { RunReader } from "./output/read.ts";
import { withTempFolder } from "./workspace.ts";

const wrapping = new AsyncLocalStorage<WrapProgram>();

/** Whatever agent is run by this work, directly or by a command that it dispatches, is started as `wrap` says. */
export const withWrappedAgents = <Result>(
  wrap: WrapProgram,
  work: () => Promise<Result>,
): Promise<Result> => wrapping.run(wrap, work);

/** Runs an agent once, with a temporary folder of its own. */
export function executeAgent(
  adapter: AgentAdapter,
  { context, command }: AgentRunPlan,
  options: ExecuteOptions = {},
): Promise<AgentExecutionResult> {
  mkdirSync(context.logDir, { recursive: true });
  return withTempFolder(context.env.TMPDIR, (TMPDIR) => {
    const plan = {
      context: { ...context, env: { ...context.env, TMPDIR }, wrap: wrapping.getStore() },
      command: { ...command, env: { ...command.env, TMPDIR } },
    };
    return adapter.execute?.(plan, options) ?? runCommand(adapter, plan, options);
  });
}

async function runCommand(
  adapter: AgentAdapter,
  plan: AgentRunPlan,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const { command } = plan;
  const { signal, onEvent, countsOn } = options;
  await writeAgentFiles(command.files);
  const reader = new RunReader(adapter, { format: command.outputFormat, onEvent, countsOn });
  const run = { ...plan, reader, stdin: command.stdin, signal, raw: readRawOptions(options) };
  const ended = await runAgentProcess(run);
  const report = await readReport(command.reportPath);
  return concludeProcess(run, { ended, ending: describeRunEnding(ended), report });
}

export async function writeAgentFiles(files: readonly AgentFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
  }
}

/** A report is a bonus: an agent that died before writing it has still run. */
const readReport = (path: string | null): Promise<string | null> =>
  path === null ? Promise.resolve(null) : readFile(path, "utf8").catch(() => null);

interface AgentProcess extends AgentRunPlan {
  readonly reader: ProcessReader;
  readonly stdin: RunOptions["stdin"];
  readonly signal: AbortSignal | undefined;
  readonly raw: RawOptions;
  /** Waited for after each piece of stdout, before the next one is taken. */
  readonly hold?: () => Promise<void>;
}

/** Runs a process that stays until it is ended: its files are written, and it has a temporary folder of its own. */
export async function runStayingProcess(
  { context, command }: AgentRunPlan,
  options: Omit<AgentProcess, keyof AgentRunPlan>,
): Promise<ProcessEnding> {
  mkdirSync(context.logDir, { recursive: true });
  await writeAgentFiles(command.files);
  return withTempFolder(context.env.TMPDIR, (TMPDIR) =>
    runAgentProcess({
      ...options,
      context,
      command: { ...command, env: { ...command.env, TMPDIR }, timeout: 0 },
    }),
  );
}

/** Takes what a process prints, and what is to be said of it. */
type ProcessReader = Pick<RunReader, "readStdout" | "readStderr" | "noteError">;

type RawOptions = Pick<RawFiles, "limitBytes" | "secrets">;

/** What of a run's options is about its raw files. */
export const readRawOptions = ({
  rawLimitBytes,
  isRaw,
  secrets = [],
}: ExecuteOptions): RawOptions => ({
  secrets: isRaw === true ? null : secrets,
  ...(rawLimitBytes === undefined ? {} : { limitBytes: rawLimitBytes }),
});

/** Runs an agent's process: what it prints is read as it passes, and saved. */
export async function runAgentProcess(run: AgentProcess): Promise<ProcessEnding> {
  const { context, command, reader, stdin, signal } = run;
  const files = rawFiles(run);
  const spec = (await context.wrap?.(command)) ?? command;
  const ended = await runProcess(spec, {
    runId: context.runId,
    timeoutMs: command.timeout,
    keepBytes: MAX_OUTPUT_BYTES,
    onChunk: (channel, bytes) => {
      if (channel === "stderr") return reader.readStderr(bytes);
      reader.readStdout(bytes);
      return run.hold?.();
    },
    ...(files === null ? {} : { rawFiles: { ...files, ...run.raw } }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (ended.truncated)
    reader.noteError(
      "OUTPUT_TRUNCATED",
      `only the first ${MAX_OUTPUT_BYTES} bytes of output are kept`,
    );
  if (ended.ioProblem !== null) reader.noteError("UNKNOWN", ended.ioProblem);
  const problem = spec === command ? null : findWrapProblem(spec, ended);
  if (problem !== null) reader.noteError("INVALID_CONFIG", problem);
  return ended;
}

/** A sandbox that does not come about says so in its own name, and the agent says nothing. */
function findWrapProblem({ executable }: CommandSpec, ended: ProcessEnding): string | null {
  if (ended.kind !== "exited" || ended.exitCode !== 1 || ended.stdout.length > 0) return null;
  const complaint = Buffer.from(ended.stderr).toString().trim();
  return complaint.startsWith(`${executable}: `) ? `the sandbox did not start: ${complaint}` : null;
}

const rawFiles = ({ context: { logDir }, raw }: AgentProcess) =>
  raw.limitBytes === 0 ? null : { stdout: join(logDir, "stdout"), stderr: join(logDir, "stderr") };

interface EndedProcess {
  readonly ended: ProcessEnding;
  readonly ending: RunEnding;
  /** The text of the agent's report file; null where it wrote none. */
  readonly report: string | null;
}

/** The result of a run whose process has ended. */
export function concludeProcess(
  run: AgentProcess & { readonly reader: RunReader },
  { ended, ending, report }: EndedProcess,
): AgentExecutionResult {
  const { command, reader } = run;
  const { status, collected } = reader.conclude({ ending, report, timeoutMs: command.timeout });
  const files = ended.kind === "not_started" ? null : rawFiles(run);
  return freezeDeep({
    execution: describeExecution(ended, ending, status),
    stdoutPath: files?.stdout ?? null,
    stderrPath: files?.stderr ?? null,
    output: joinOutput(ended),
    truncated: ended.truncated,
    errors: collected.errors,
    collected,
    command: { executable: command.executable, args: command.args },
  });
}
