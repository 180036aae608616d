// Saved output of any of the CLIs → a log, so that runs made elsewhere join in.
import type { AgentAdapter, OutputFormat } from "./adapter.ts";
import { type CollectedLog, LogCollector } from "./collect-log.ts";
import { composeLog } from "./compose-log.ts";
import { concludeRun } from "./conclude-run.ts";
import type { RunEnding } from "./decide-ending.ts";
import { describeEnvironment } from "./environment.ts";
import { OutputParser } from "./output-parser.ts";
import type { Execution, RunLog } from "./run-log.ts";

export interface NormalizeOptions {
  readonly stderr?: Uint8Array | string;
  /** Without one the run counts as exited with 0, and only its own words can fail it. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly format?: OutputFormat;
  readonly runId?: string;
  readonly workingDirectory?: string;
  /** The text of the agent's report file, where it wrote one. */
  readonly report?: string;
  /** ISO time that stands in where the output has none. */
  readonly now?: string;
}

/** Reads stdout as one piece, or as pieces in order. */
export function normalizeOutput(
  adapter: AgentAdapter,
  stdout: Uint8Array | Iterable<Uint8Array>,
  options: NormalizeOptions = {},
): RunLog {
  const now = options.now ?? new Date().toISOString();
  const dialect = adapter.createDialect();
  const parser = new OutputParser(dialect, options.format ?? formatFor(adapter));
  const collector = new LogCollector({ codePrefix: adapter.codePrefix, now: () => now });
  for (const bytes of stdout instanceof Uint8Array ? [stdout] : stdout)
    for (const event of parser.push(bytes)) collector.add(event);
  const ending = describeEnding(options);
  const { status, collected } = concludeRun({
    dialect,
    parser,
    collector,
    ending,
    stderr: textOf(options.stderr),
    report: options.report ?? null,
    timeoutMs: 0,
  });
  const execution = describeExecution(ending, status, findTimes(collected, now));
  return composeLog(collected, {
    adapter,
    runId: options.runId ?? crypto.randomUUID(),
    execution,
    errors: collected.errors,
    environment: describeEnvironment(
      options.workingDirectory ?? collected.facts.workingDirectory ?? "",
    ),
    configured: { model: null, prompt: null, parameters: {}, agentVersion: null },
  });
}

const formatFor = (adapter: AgentAdapter): OutputFormat =>
  adapter.capabilities(null).outputFormats.every((name) => name === "text") ? "text" : "auto";

const textOf = (bytes: Uint8Array | string | undefined): string =>
  typeof bytes === "string" ? bytes : Buffer.from(bytes ?? []).toString("utf8");

function describeEnding({ exitCode, signal }: NormalizeOptions): RunEnding {
  if (signal) return { kind: "signalled", exitCode: null, signal };
  return { kind: "exited", exitCode: exitCode ?? 0, signal: null };
}

interface RunTimes {
  readonly first: string;
  readonly last: string;
}

/** What the output says of its time; an agent that gives only a duration is placed before `now`. */
function findTimes({ firstAt, lastAt, final }: CollectedLog, now: string): RunTimes {
  const last = lastAt ?? now;
  const start = Date.parse(last) - Math.round(final?.durationMs ?? 0);
  return { first: new Date(Math.min(start, Date.parse(firstAt ?? last))).toISOString(), last };
}

function describeExecution(
  ending: RunEnding,
  status: Execution["status"],
  times: RunTimes,
): Execution {
  return {
    started_at: times.first,
    completed_at: times.last,
    duration_ms: Date.parse(times.last) - Date.parse(times.first),
    exit_code: ending.exitCode,
    ...(ending.signal === null ? {} : { signal: ending.signal }),
    status,
    timed_out: false,
  };
}
