// What an agent prints becomes a log: while the run goes on (`RunReader`), or from saved output
// (`normalizeOutput`), so that runs made elsewhere join in.
import { type CollectedLog, LogCollector } from "../../log/collect-log.ts";
import { composeLog, describeEnvironment } from "../../log/compose-log.ts";
import type { ErrorReason } from "../../log/error-reasons.ts";
import type { LogEvent } from "../../log/event.ts";
import type { Execution, RunLog } from "../../log/run-log.ts";
import { stripAnsi } from "../../log/text.ts";
import { UNKNOWN_USAGE } from "../../log/usage.ts";
import type { AgentAdapter, OutputFormat } from "../adapter.ts";
import { decideEnding, describeExecution, type RunEnding } from "../ending.ts";
import { TailBytes } from "./lines.ts";
import { type OutputDialect, OutputParser } from "./parser.ts";

/** Only the end of stderr is looked at. */
const MAX_STDERR_BYTES = 256 * 1024;

interface RunReaderOptions {
  readonly format: OutputFormat;
  /** ISO time for what the agent did not stamp; the clock's by default. */
  readonly now?: () => string;
  readonly onEvent?: ((event: LogEvent) => void) | undefined;
  /** Figures of earlier runs are in what the agent tells, so that nobody knows what this one used. */
  readonly countsOn?: boolean | undefined;
}

type RunReaderAgent = Pick<AgentAdapter, "codePrefix" | "createDialect" | "kindOfTool">;

const currentTime = (): string => new Date().toISOString();

interface RunConclusion {
  readonly ending: RunEnding;
  /** The text of the agent's report file. */
  readonly report: string | null;
  readonly timeoutMs: number;
}

interface ConcludedRun {
  readonly status: Execution["status"];
  readonly collected: CollectedLog;
}

/** Reads a run's output while it comes, and says at its end how the run went. */
export class RunReader {
  readonly #dialect: OutputDialect;
  readonly #parser: OutputParser;
  readonly #collector: LogCollector;
  readonly #onEvent: ((event: LogEvent) => void) | undefined;
  readonly #stderr = new TailBytes(MAX_STDERR_BYTES);
  readonly #countsOn: boolean;

  constructor(
    adapter: RunReaderAgent,
    { format, now = currentTime, onEvent, countsOn = false }: RunReaderOptions,
  ) {
    this.#dialect = adapter.createDialect();
    this.#parser = new OutputParser(this.#dialect, format, (event) => this.#take(event));
    this.#collector = new LogCollector({
      codePrefix: adapter.codePrefix,
      kindOfTool: adapter.kindOfTool,
      now,
    });
    this.#onEvent = onEvent;
    this.#countsOn = countsOn;
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

  #take(given: LogEvent): void {
    const isForeign = this.#countsOn && given.kind === "usage";
    const event = isForeign ? { ...given, figures: UNKNOWN_USAGE, costUsd: null } : given;
    this.#collector.add(event);
    this.#onEvent?.(event);
  }
}

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

/**
 * The log of a run whose stdout was saved, given as one piece or as pieces in order.
 *
 * @example
 * const log = normalizeOutput(await requireAdapter("command"), Buffer.from("done"), { exitCode: 0 });
 */
export function normalizeOutput(
  adapter: AgentAdapter,
  stdout: Uint8Array | Iterable<Uint8Array>,
  options: NormalizeOptions = {},
): RunLog {
  const now = options.now ?? new Date().toISOString();
  const format = options.format ?? formatFor(adapter);
  const reader = new RunReader(adapter, { format, now: () => now });
  for (const bytes of stdout instanceof Uint8Array ? [stdout] : stdout) reader.readStdout(bytes);
  reader.readStderr(bytesOf(options.stderr));
  const ending = describeEnding(options);
  const report = options.report ?? null;
  const { status, collected } = reader.conclude({ ending, report, timeoutMs: 0 });
  const execution = describeExecution(findTimes(collected, now), ending, status);
  return composeLog(collected, {
    agent: adapter,
    runId: options.runId ?? crypto.randomUUID(),
    execution,
    errors: collected.errors,
    command: null,
    environment: describeEnvironment(
      options.workingDirectory ?? collected.facts.workingDirectory ?? "",
    ),
    configured: { model: null, prompt: null, parameters: {}, agentVersion: null },
  });
}

const formatFor = (adapter: AgentAdapter): OutputFormat =>
  adapter.capabilities(null).outputFormats.every((name) => name === "text") ? "text" : "auto";

const bytesOf = (stderr: Uint8Array | string | undefined): Uint8Array =>
  typeof stderr === "string" ? Buffer.from(stderr) : (stderr ?? new Uint8Array());

function describeEnding({ exitCode, signal }: NormalizeOptions): RunEnding {
  if (signal) return { kind: "signalled", exitCode: null, signal };
  return { kind: "exited", exitCode: exitCode ?? 0, signal: null };
}

/** What the output says of its time; an agent that gives only a duration is placed before `now`. */
function findTimes({ firstAt, lastAt, final }: CollectedLog, now: string) {
  const completedAt = lastAt ?? now;
  const end = Date.parse(completedAt);
  const start = Math.min(
    end - Math.round(final?.durationMs ?? 0),
    Date.parse(firstAt ?? completedAt),
  );
  return { startedAt: new Date(start).toISOString(), completedAt, durationMs: end - start };
}
