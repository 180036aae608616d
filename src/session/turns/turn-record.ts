// The record of one turn while it grows: every event is appended to the run's file before anybody sees it, and at the
// end they become the log of the run.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { LogCollector } from "../../agents/log/collect-log.ts";
import { composeLog, describeEnvironment } from "../../agents/log/compose-log.ts";
import type { ErrorReason } from "../../agents/log/error-reasons.ts";
import type { DeltaEvent, LogEvent } from "../../agents/log/event.ts";
import { maskTexts } from "../../agents/log/json-fields.ts";
import { saveLog } from "../../agents/log/run-files.ts";
import type { Execution, RunLog } from "../../agents/log/run-log.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import type { TurnEnding } from "../../agents/run/conversation.ts";
import { startRunClock } from "../../core/process/command-spec.ts";
import type { ExactValues } from "../../core/secrets/mask.ts";
import { explainFailure } from "../../core/store/storage-fault.ts";

interface TurnRecordOptions {
  readonly adapter: AgentAdapter;
  readonly agentVersion: string | null;
  readonly runId: string;
  readonly logDir: string;
  readonly workspaceDir: string;
  readonly prompt: string;
  readonly model: string | null;
  /** Values that nothing on the disk may hold. */
  readonly secrets: ExactValues;
  readonly show: (offset: number, event: LogEvent) => void;
  /** Called once when nothing more can be kept: what is not recorded must not happen. */
  readonly onBroken: () => void;
}

export const eventsFile = (logDir: string): string => join(logDir, "events.ndjson");

export class TurnRecord {
  readonly #options: TurnRecordOptions;
  readonly #collector: LogCollector;
  readonly #readClock = startRunClock();
  #offset = 0;
  #held: DeltaEvent | null = null;
  #failure: unknown = null;

  constructor(options: TurnRecordOptions) {
    this.#options = options;
    const { codePrefix, kindOfTool } = options.adapter;
    this.#collector = new LogCollector({
      codePrefix,
      kindOfTool,
      now: () => new Date().toISOString(),
    });
  }

  /** It never throws: an agent's output is read on the way here. */
  add(event: LogEvent): void {
    if (this.#failure !== null) return;
    this.#collector.add(event);
    try {
      this.#append(event);
    } catch (error) {
      this.#failure = explainFailure(eventsFile(this.#options.logDir), error);
      this.#options.onBroken();
      return;
    }
    this.#options.show(this.#offset, event);
  }

  #append(event: LogEvent): void {
    if (event.kind === "delta") this.#hold(event);
    else {
      this.#writeHeld();
      this.#write(event);
    }
  }

  /** A secret may come in two pieces, of which neither looks like one: what is not whole yet is held back. */
  #hold(event: DeltaEvent): void {
    const held = this.#held;
    if (held !== null && (held.channel !== event.channel || held.parent !== event.parent))
      this.#writeHeld();
    const text = (this.#held?.text ?? "") + event.text;
    const end = endOfWhole(text);
    if (end > 0) this.#write({ ...event, text: text.slice(0, end) });
    this.#held = { ...event, text: text.slice(end) };
  }

  #writeHeld(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null && held.text !== "") this.#write(held);
  }

  #write(event: LogEvent): void {
    const { logDir, secrets } = this.#options;
    const kept = maskTexts(event, secrets);
    appendFileSync(eventsFile(logDir), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    this.#offset += 1;
  }

  noteError(reason: ErrorReason, message: string): void {
    this.add({ kind: "error", reason, message, at: new Date().toISOString(), context: null });
  }

  /** The agent's own id of the conversation, as far as it was said. */
  get conversation(): string | null {
    return this.#collector.collect().facts.sessionId;
  }

  /** Writes the log, with secrets masked; gives it as it was said. Throws where it could not be kept. */
  conclude(ending: TurnEnding): RunLog {
    if (this.#failure !== null) throw this.#failure;
    if (ending.kind === "cancelled") this.noteError("CANCELLED", "the turn was cancelled");
    if (ending.kind === "lost") this.noteError("ABORTED", ending.problem);
    if (ending.kind === "forgotten") this.noteError("INVALID_CONFIG", ending.problem);
    this.#writeHeld();
    const { adapter, runId, workspaceDir, prompt, model, agentVersion, logDir, secrets } =
      this.#options;
    const collected = this.#collector.collect();
    const log = composeLog(collected, {
      agent: adapter,
      runId,
      execution: this.#describeExecution(ending, collected.final?.isSuccess === true),
      errors: collected.errors,
      command: null,
      environment: describeEnvironment(workspaceDir),
      configured: { model, prompt, parameters: {}, agentVersion },
    });
    saveLog(logDir, maskTexts(log, secrets));
    return log;
  }

  /** The process stays, so its exit says nothing of a turn: the agent's final word does. */
  #describeExecution({ kind }: TurnEnding, isSuccess: boolean): Execution {
    const { startedAt, completedAt, durationMs } = this.#readClock();
    const isGood = kind === "ended" && isSuccess;
    return {
      started_at: startedAt,
      completed_at: completedAt,
      duration_ms: durationMs,
      exit_code: null,
      status: kind === "cancelled" ? "cancelled" : isGood ? "success" : "failed",
      timed_out: false,
    };
  }
}

/** A key in a block of lines is whole only with its last one. */
function endOfWhole(text: string): number {
  const begun = text.lastIndexOf("-----BEGIN ");
  const isOpen = begun >= 0 && !text.includes("-----END ", begun);
  const whole = isOpen ? text.slice(0, begun) : text;
  return Math.max(whole.lastIndexOf(" "), whole.lastIndexOf("\n")) + 1;
}
