import type { CollectedLog, LogCollector } from "./collect-log.ts";
import { decideEnding, type RunEnding } from "./decide-ending.ts";
import type { LogEvent } from "./log-event.ts";
import type { OutputDialect } from "./output-dialect.ts";
import type { OutputParser } from "./output-parser.ts";
import type { Execution } from "./run-log.ts";
import { stripAnsi } from "./strip-ansi.ts";

/** So much of the end of stderr is looked at. */
export const STDERR_TAIL = 256 * 1024;

export interface RunConclusion {
  readonly dialect: OutputDialect;
  readonly parser: OutputParser;
  readonly collector: LogCollector;
  readonly ending: RunEnding;
  readonly stderr: string;
  readonly report: string | null;
  readonly timeoutMs: number;
}

export interface ConcludedRun {
  readonly status: Execution["status"];
  readonly collected: CollectedLog;
  /** The events that only the end brought. */
  readonly events: readonly LogEvent[];
}

/** What is left to read once the agent is gone, and the verdict on it all. */
export function concludeRun(run: RunConclusion): ConcludedRun {
  const { dialect, parser, collector, ending } = run;
  const stderr = stripAnsi(run.stderr.slice(-STDERR_TAIL));
  const last = parser.end();
  const format = parser.format === "text" ? "text" : "structured";
  const events = [
    ...last,
    ...(dialect.readStderr?.(stderr, format) ?? []),
    ...(run.report === null ? [] : (dialect.readReport?.(run.report) ?? [])),
  ];
  for (const event of events) collector.add(event);
  noteLeftOut(collector);
  const collected = collector.collect();
  const facts = { ending, collected, format, stderr, timeoutMs: run.timeoutMs } as const;
  const decision = decideEnding(facts);
  for (const error of decision.errors) collector.addError({ ...error, at: null, context: null });
  return { status: decision.status, collected: collector.collect(), events };
}

function noteLeftOut(collector: LogCollector): void {
  const { leftOut } = collector.collect();
  if (leftOut === 0) return;
  const message = `${leftOut} messages or tool calls did not fit into the log`;
  collector.addError({ reason: "OUTPUT_TRUNCATED", message, at: null, context: null });
}
