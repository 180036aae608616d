// What the agent says between a prompt and its final word becomes the events of one turn, as they would be of a run.

import type { JsonRecord } from "../../../core/project/json-value.ts";
import { errorEvent, finalEvent, initEvent, type LogEvent } from "../../log/event.ts";
import type { UsageTotals } from "../../log/usage.ts";
import { type OutputDialect, OutputParser } from "../../run/output/parser.ts";

interface StreamJsonTurnOptions {
  readonly dialect: OutputDialect;
  readonly onEvent: (event: LogEvent) => void;
  /** The model that was asked for. */
  readonly model: string | null;
  readonly totals: UsageTotals;
  /** Whether a `result` is the word of a sub-agent that failed, if one is at work. */
  readonly isInnerResult: (result: JsonRecord) => boolean;
}

export class StreamJsonTurn {
  readonly #options: StreamJsonTurnOptions;
  readonly #parser: OutputParser;
  readonly #permissions = new Map<string, "allowed" | "denied">();
  readonly #calls = new Set<string>();
  readonly #openCalls = new Set<string>();
  #model: string | null = null;
  #isResult = false;
  #hasEnded = false;
  #isCancelled = false;

  constructor(options: StreamJsonTurnOptions) {
    this.#options = options;
    this.#parser = new OutputParser(options.dialect, "structured", (event) => this.#take(event));
  }

  /** True once the agent has said its final word. */
  read(record: JsonRecord): boolean {
    // What was told to the agent, repeated by it.
    if (record.isReplay === true) return false;
    this.#isResult = record.type === "result";
    if (this.#isResult && this.#openCalls.size > 0 && this.#options.isInnerResult(record))
      return false;
    this.#parser.read(record);
    return this.#isResult;
  }

  notePermission(callId: string, isAllowed: boolean): void {
    this.#permissions.set(callId, isAllowed ? "allowed" : "denied");
  }

  /** From here on it is no error of the agent's that it stops. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** Ends a turn whose prompt was never sent. */
  refuse(problem: string): void {
    this.#take(initEvent({ model: this.#options.model }));
    this.#take(errorEvent("INVALID_CONFIG", problem));
    this.#take(finalEvent({ isSuccess: false }));
  }

  /** Hands on what is left of an answer that was cut. */
  end(): void {
    this.#parser.end();
  }

  #take(event: LogEvent): void {
    const taken = this.#adapt(event);
    if (taken !== null) this.#options.onEvent(taken);
  }

  #adapt(event: LogEvent): LogEvent | null {
    switch (event.kind) {
      case "init": {
        // A `result` lists the models of all turns, the first one first.
        const model = this.#model ?? (this.#isResult ? this.#options.model : null) ?? event.model;
        this.#model = model;
        return { ...event, model };
      }
      case "usage":
        return event.scope === "run" ? this.#options.totals.take(event) : event;
      case "tool_call":
        this.#calls.add(event.id);
        this.#openCalls.add(event.id);
        return event;
      case "tool_result":
        this.#openCalls.delete(event.id);
        // A `result` may name the refusals of earlier turns again.
        if (this.#isResult && !this.#calls.has(event.id)) return null;
        return {
          ...event,
          permission: event.permission ?? this.#permissions.get(event.id) ?? null,
        };
      case "error":
        return this.#isCancelled ? null : event;
      case "final":
        if (this.#hasEnded) return null;
        this.#hasEnded = true;
        return event;
      default:
        return event;
    }
  }
}
