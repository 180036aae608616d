// A run's events are collected into what the log will say of it.
import { EntryCollector, type KindOfTool } from "./collect-entries.ts";
import { formatErrorCode } from "./error-reasons.ts";
import {
  type ErrorEvent,
  type FinalEvent,
  type InitEvent,
  initEvent,
  type LogEvent,
  type RetryEvent,
} from "./event.ts";
import type { ErrorRecord, LogMessage, LogToolCall } from "./run-log.ts";
import { capText, MAX_MESSAGE_LENGTH, stripAnsi } from "./text.ts";
import { UsageCollector, type UsageFigures } from "./usage.ts";

const MAX_ERRORS = 200;

export interface CollectedLog {
  readonly facts: InitEvent;
  readonly messages: readonly LogMessage[];
  readonly toolCalls: readonly LogToolCall[];
  readonly usage: UsageFigures;
  readonly costUsd: number | null;
  readonly errors: readonly ErrorRecord[];
  readonly final: FinalEvent | null;
  /** The agent was waiting to try again and got no further. */
  readonly openRetry: RetryEvent | null;
  readonly filesChanged: readonly string[];
  /** The earliest and latest time that the output itself states. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** Entries that did not fit. */
  readonly leftOut: number;
}

interface CollectorOptions {
  readonly codePrefix: string;
  readonly kindOfTool: KindOfTool;
  /** ISO time for an error that the agent did not stamp. */
  readonly now: () => string;
}

/** Takes the events of one run, in the order in which they come. */
export class LogCollector {
  readonly #options: CollectorOptions;
  readonly #entries: EntryCollector;
  readonly #usage = new UsageCollector();
  readonly #errors: ErrorRecord[] = [];
  #facts: InitEvent = initEvent({});
  #final: FinalEvent | null = null;
  #openRetry: RetryEvent | null = null;
  #firstAt: string | null = null;
  #lastAt: string | null = null;

  constructor(options: CollectorOptions) {
    this.#entries = new EntryCollector(options.kindOfTool);
    this.#options = options;
  }

  add(event: LogEvent): void {
    this.#noteTime(event.at);
    switch (event.kind) {
      case "init":
        this.#facts = mergeFacts(this.#facts, event);
        return;
      case "retry":
        this.#openRetry = event;
        return;
      case "usage":
        this.#usage.add(event);
        return;
      case "error":
        this.addError(event);
        return;
      case "delta":
        this.#openRetry = null;
        return;
      default:
        this.#openRetry = null;
        this.#addEntry(event);
    }
  }

  addError({ reason, message, at, context }: Omit<ErrorEvent, "kind">): void {
    const code = formatErrorCode(this.#options.codePrefix, reason);
    const text = capText(stripAnsi(message).trim(), MAX_MESSAGE_LENGTH) || reason;
    const isRepeated = this.#errors.some((known) => known.code === code && known.message === text);
    if (isRepeated || this.#errors.length >= MAX_ERRORS) return;
    const timestamp = at ?? this.#options.now();
    this.#errors.push({ message: text, timestamp, code, ...(context === null ? {} : { context }) });
  }

  collect(): CollectedLog {
    const { messages, toolCalls, changedPaths, leftOut } = this.#entries;
    return {
      facts: this.#facts,
      messages,
      toolCalls,
      usage: this.#usage.figures,
      costUsd: this.#usage.costUsd,
      errors: this.#errors,
      final: this.#final,
      openRetry: this.#openRetry,
      filesChanged: [...changedPaths],
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      leftOut,
    };
  }

  #addEntry(
    event: Exclude<LogEvent, { kind: "init" | "retry" | "usage" | "error" | "delta" }>,
  ): void {
    if (event.kind === "message") this.#entries.addMessage(event);
    else if (event.kind === "tool_call") this.#entries.addCall(event);
    else if (event.kind === "tool_result") this.#entries.addResult(event);
    else this.#addFinal(event);
  }

  #addFinal(event: FinalEvent): void {
    this.#final = event;
    for (const path of event.filesChanged) this.#entries.changedPaths.add(path);
    if (event.text !== null && event.isSuccess) this.#entries.addAnswer(event.text, event.at);
  }

  #noteTime(at: string | null): void {
    if (at === null) return;
    if (this.#firstAt === null || at < this.#firstAt) this.#firstAt = at;
    if (this.#lastAt === null || at > this.#lastAt) this.#lastAt = at;
  }
}

const toolsOf = (tools: InitEvent["tools"]) => (tools === undefined ? {} : { tools });

/** What was said first of each fact stands. */
const mergeFacts = (known: InitEvent, found: InitEvent): InitEvent => ({
  ...toolsOf(known.tools ?? found.tools),
  kind: "init",
  at: known.at ?? found.at,
  sessionId: known.sessionId ?? found.sessionId,
  model: known.model ?? found.model,
  provider: known.provider ?? found.provider,
  agentVersion: known.agentVersion ?? found.agentVersion,
  workingDirectory: known.workingDirectory ?? found.workingDirectory,
});
