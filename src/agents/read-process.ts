import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessEnding } from "../process/process-ending.ts";
import type { RunOptions } from "../process/run-options.ts";
import { runProcess } from "../process/run-process.ts";
import type { AgentCommand, AgentExecutionContext, AgentExecutionResult } from "./adapter.ts";
import type { RunEnding } from "./decide-ending.ts";
import { describeExecution, joinOutput } from "./execution.ts";
import { freezeDeep } from "./freeze.ts";
import type { RunReader } from "./run-reader.ts";
import { OUTPUT_LIMIT } from "./truncation.ts";

export interface ProcessReading {
  readonly context: AgentExecutionContext;
  readonly command: AgentCommand;
  readonly reader: RunReader;
  readonly stdin: RunOptions["stdin"];
  readonly signal: AbortSignal | undefined;
  readonly rawLimitBytes: number | undefined;
  /** Waited for after each piece of stdout, before the next one is taken. */
  readonly hold?: () => Promise<void>;
}

/** Runs an agent's process: what it prints is read as it passes, and saved as it came. */
export async function readProcess(reading: ProcessReading): Promise<ProcessEnding> {
  const { context, command, reader, stdin, signal, rawLimitBytes: limitBytes } = reading;
  const files = rawFiles(reading);
  mkdirSync(context.logDir, { recursive: true });
  const ended = await runProcess(command, {
    runId: context.runId,
    timeoutMs: command.timeout,
    keepBytes: OUTPUT_LIMIT,
    onChunk: (channel, bytes) => {
      if (channel === "stderr") return reader.readStderr(bytes);
      reader.readStdout(bytes);
      return reading.hold?.();
    },
    ...(files === null
      ? {}
      : { rawFiles: { ...files, ...(limitBytes === undefined ? {} : { limitBytes }) } }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (ended.truncated)
    reader.noteError("OUTPUT_TRUNCATED", `only the first ${OUTPUT_LIMIT} bytes of output are kept`);
  if (ended.ioProblem !== null) reader.noteError("UNKNOWN", ended.ioProblem);
  return ended;
}

const rawFiles = ({ context: { logDir }, rawLimitBytes }: ProcessReading) =>
  rawLimitBytes === 0 ? null : { stdout: join(logDir, "stdout"), stderr: join(logDir, "stderr") };

export interface ReadEnding {
  readonly ended: ProcessEnding;
  readonly ending: RunEnding;
  readonly report: string | null;
}

/** The result of a run whose process has ended. */
export function concludeReading(
  reading: ProcessReading,
  { ended, ending, report }: ReadEnding,
): AgentExecutionResult {
  const { command, reader } = reading;
  const { status, collected } = reader.conclude({ ending, report, timeoutMs: command.timeout });
  const files = ended.kind === "not_started" ? null : rawFiles(reading);
  return freezeDeep({
    execution: describeExecution(ended, ending, status),
    stdoutPath: files?.stdout ?? null,
    stderrPath: files?.stderr ?? null,
    output: joinOutput(ended),
    truncated: ended.truncated,
    errors: collected.errors,
    collected,
  });
}
