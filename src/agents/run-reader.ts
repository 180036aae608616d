import type { AgentAdapter, OutputFormat } from "./adapter.ts";
import { type CollectedLog, LogCollector } from "./collect-log.ts";
import { decideEnding, type RunEnding } from "./decide-ending.ts";
import type { ErrorReason } from "./error-codes.ts";
import type { LogEvent } from "./log-event.ts";
import type { OutputDialect } from "./output-dialect.ts";
import { OutputParser } from "./output-parser.ts";
import type { Execution } from "./run-log.ts";
import { stripAnsi } from "./strip-ansi.ts";
import { TailBytes } from "./tail-bytes.ts";

/** So much of the end of stderr is looked at. */
const STDERR_TAIL = 256 * 1024;

export interface RunReaderOptions {
  readonly format: OutputFormat;
  /** ISO time for what the agent did not stamp. */
  readonly now: () => string;
  readonly onEvent?: ((event: LogEvent) => void) | undefined;
}

export interface RunConclusion {
  readonly ending: RunEnding;
  /** The text of the agent's report file. */
  readonly report: string | null;
  readonly timeoutMs: number;
}

export interface ConcludedRun {
  readonly status: Execution["status"];
  readonly collected: CollectedLog;
}

/** Reads a run's output while it comes, and says at its end how the run went. */
export class RunReader {
  readonly #dialect: OutputDialect;
  readonly #parser: OutputParser;
  readonly #collector: LogCollector;
  readonly #onEvent: ((event: LogEvent) => void) | undefined;
  readonly #stderr = new TailBytes(STDERR_TAIL);

  constructor(adapter: AgentAdapter, { format, now, onEvent }: RunReaderOptions) {
    this.#dialect = adapter.createDialect();
    this.#parser = new OutputParser(this.#dialect, format, (event) => this.#take(event));
    this.#collector = new LogCollector({ codePrefix: adapter.codePrefix, now });
    this.#onEvent = onEvent;
  }

  readStdout(bytes: Uint8Array): void {
    this.#parser.push(bytes);
  }

  readStderr(bytes: Uint8Array): void {
    this.#stderr.push(bytes);
  }

  noteError(reason: ErrorReason, message: string): void {
    this.#collector.addError({ reason, message, at: null, context: null });
  }

  conclude({ ending, report, timeoutMs }: RunConclusion): ConcludedRun {
    const stderr = stripAnsi(this.#stderr.text());
    this.#parser.end();
    const format = this.#parser.format === "text" ? "text" : "structured";
    for (const event of this.#dialect.readStderr?.(stderr, format) ?? []) this.#take(event);
    if (report !== null)
      for (const event of this.#dialect.readReport?.(report) ?? []) this.#take(event);
    const collected = this.#collector.collect();
    if (collected.leftOut > 0)
      this.noteError("OUTPUT_TRUNCATED", `${collected.leftOut} entries did not fit into the log`);
    const { status, errors } = decideEnding({ ending, collected, format, stderr, timeoutMs });
    for (const { reason, message } of errors) this.noteError(reason, message);
    return { status, collected: this.#collector.collect() };
  }

  #take(event: LogEvent): void {
    this.#collector.add(event);
    this.#onEvent?.(event);
  }
}
