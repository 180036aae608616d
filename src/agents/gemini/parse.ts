// Gemini CLI's `stream-json` and `json` output, measured on 0.61.0.
import { classifyFailure } from "../error-codes.ts";
import {
  asAmount,
  asName,
  asRecord,
  asText,
  asTimestamp,
  type JsonRecord,
} from "../json-fields.ts";
import {
  answerDelta,
  type ErrorEvent,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log-event.ts";
import type { OutputDialect } from "../output-dialect.ts";
import { kindOfTool } from "../tool-kind.ts";
import { describeError, isDocument, readDocument } from "./parse-document.ts";
import { readLastAttempt, readStderrDocument, reasonOfStderr } from "./parse-stderr.ts";
import { readStreamUsage } from "./usage.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  ...["init", "message", "tool_use", "tool_result", "error", "result"],
]);

export class GeminiDialect implements OutputDialect {
  readonly #shellCalls = new Set<string>();
  #unexplained: ErrorEvent | null = null;
  #hasEnded = false;
  #isStreaming = false;

  readonly recognizes = (record: JsonRecord): boolean =>
    (TYPES.has(record.type) && typeof record.timestamp === "string") || isDocument(record);

  readRecord(record: JsonRecord): readonly LogEvent[] {
    // Of an answer in pieces only the first needs its time: there are very many pieces.
    const isFurther = record.delta === true && this.#isStreaming;
    this.#isStreaming = record.delta === true;
    if (isFurther) return [answerDelta(asText(record.content) ?? "")];
    return this.#readEvent(record, asTimestamp(record.timestamp));
  }

  #readEvent(record: JsonRecord, at: string | null): readonly LogEvent[] {
    switch (record.type) {
      case "init":
        return [readInit(record, at)];
      case "message":
        return [readMessage(record, at)];
      case "tool_use":
        return this.#readToolUse(record, at);
      case "tool_result":
        return this.#readToolResult(record, at);
      case "error":
        return readWarning(record, at);
      case "result":
        return this.#end(readResult(record, at));
      default:
        return isDocument(record) ? this.#end(readDocument(record)) : NO_EVENTS;
    }
  }

  finish(): readonly LogEvent[] {
    return NO_EVENTS;
  }

  readStderr(text: string): readonly LogEvent[] {
    if (this.#unexplained !== null) return [{ ...this.#unexplained, reason: reasonOfStderr(text) }];
    return this.#hasEnded ? NO_EVENTS : [...readStderrDocument(text), ...readLastAttempt(text)];
  }

  /** An error whose message tells nothing waits for stderr, which has the status. */
  #end(events: readonly LogEvent[]): readonly LogEvent[] {
    this.#hasEnded = true;
    const unexplained = events.find(
      (event) => event.kind === "error" && event.reason === "UNKNOWN",
    );
    if (unexplained?.kind !== "error") return events;
    this.#unexplained = unexplained;
    return events.filter((event) => event !== unexplained);
  }

  #readToolUse(record: JsonRecord, at: string | null): readonly LogEvent[] {
    const id = asName(record.tool_id);
    const name = asName(record.tool_name);
    if (id === null || name === null) return NO_EVENTS;
    if (kindOfTool(name) === "shell") this.#shellCalls.add(id);
    return [{ kind: "tool_call", id, name, arguments: record.parameters ?? null, at }];
  }

  #readToolResult(record: JsonRecord, at: string | null): readonly LogEvent[] {
    const id = asName(record.tool_id);
    if (id === null) return NO_EVENTS;
    const result = asText(record.output) ?? asName(asRecord(record.error).message);
    // "success" only says that a shell ran. The exit code is shown where the command printed nothing.
    const hasFailed =
      record.status === "error" || /^Command exited with code: [1-9]/.test(result ?? "");
    const isError = hasFailed || !this.#shellCalls.has(id) ? hasFailed : null;
    return [{ kind: "tool_result", id, result, isError, permission: null, durationMs: null, at }];
  }
}

const readInit = (record: JsonRecord, at: string | null): LogEvent =>
  initEvent({ at, sessionId: asName(record.session_id), model: asName(record.model) });

function readMessage(record: JsonRecord, at: string | null): LogEvent {
  const content = asText(record.content) ?? "";
  if (record.delta === true) return answerDelta(content, at);
  const role = record.role === "user" ? "user" : "assistant";
  return { kind: "message", role, content, at, parent: null, isStreamed: false };
}

/** An `error` event may be a warning in mid-run; only the `result` says how it ended. */
function readWarning(record: JsonRecord, at: string | null): readonly LogEvent[] {
  const message = asName(record.message) ?? asName(asRecord(record.error).message);
  if (record.severity === "warning" || message === null) return NO_EVENTS;
  return [errorEvent(classifyFailure({ text: message }), message, at)];
}

function readResult(record: JsonRecord, at: string | null): LogEvent[] {
  const isSuccess = record.status === "success";
  const stats = asRecord(record.stats);
  return [
    { kind: "usage", figures: readStreamUsage(stats), costUsd: null, scope: "run", at },
    ...(isSuccess ? [] : [describeError(asRecord(record.error), at)]),
    finalEvent({ isSuccess, at, durationMs: asAmount(stats.duration_ms) }),
  ];
}
