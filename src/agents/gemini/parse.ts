// Gemini CLI's `stream-json` and `json` output, measured on 0.61.0.

import {
  asRecord,
  isRecord,
  type JsonRecord,
  parseJsonObject,
} from "../../core/project/json-value.ts";
import { classifyFailure, type ErrorReason } from "../log/error-reasons.ts";
import {
  answerDelta,
  type ErrorEvent,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log/event.ts";
import { asAmount, asCount, asName, asText, asTimestamp } from "../log/json-fields.ts";
import {
  addTokens,
  sumUsage,
  UNKNOWN_USAGE,
  type UsageFigures,
  withReasoning,
} from "../log/usage.ts";
import type { OutputDialect } from "../run/output/parser.ts";
import { findTool } from "../steps/tool-table.ts";
import { GEMINI_TOOLS } from "./tools.ts";

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
    if (findTool(GEMINI_TOOLS, name).kind === "shell") this.#shellCalls.add(id);
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

// `--output-format json`: one object with the answer and the figures, or with an error.

const isDocument = (record: JsonRecord): boolean =>
  record.type === undefined &&
  typeof record.session_id === "string" &&
  ((typeof record.response === "string" && isRecord(record.stats)) || isRecord(record.error));

function readDocument({ session_id, response, stats, error }: JsonRecord): LogEvent[] {
  const [model] = Object.keys(asRecord(asRecord(stats).models));
  const isSuccess = !isRecord(error);
  const text = asText(response);
  return [
    initEvent({ sessionId: asName(session_id), model: model ?? null }),
    ...(isRecord(stats) ? [readUsage(stats)] : []),
    ...(isSuccess ? [] : [describeError(error, null)]),
    finalEvent({ isSuccess, text, turns: readTurns(asRecord(asRecord(stats).models)) }),
  ];
}

const readUsage = (stats: JsonRecord): LogEvent => ({
  kind: "usage",
  figures: readDocumentUsage(stats),
  costUsd: null,
  scope: "run",
  at: null,
});

/** Requests that succeeded, over all models. */
function readTurns(models: JsonRecord): number | null {
  const counts = Object.values(models).map((model) => {
    const { totalRequests, totalErrors } = asRecord(asRecord(model).api);
    const requests = asCount(totalRequests);
    return requests === null ? null : requests - (asCount(totalErrors) ?? 0);
  });
  return counts.length === 0 ? null : addTokens(...counts);
}

/** Its `type` is "unknown" for nearly everything; the message holds the server's JSON. */
function describeError({ message, code, type }: JsonRecord, at: string | null): LogEvent {
  const text = asName(message) ?? "the run failed";
  if (type === "FatalTurnLimitedError") return errorEvent("MAX_TURNS", text, at);
  return errorEvent(classifyFailure({ status: asCount(code), text }), text, at);
}

// Gemini CLI's stderr is noisy, but it has what stdout leaves out.

const ATTEMPT = /^Attempt (\d+) failed with status (\d{3})/gm;
const STATUS = /\bstatus: (\d{3})\b/;

function reasonOfStderr(text: string): ErrorReason {
  const status = [...text.matchAll(ATTEMPT)].at(-1)?.[2] ?? STATUS.exec(text)?.[1];
  return classifyFailure({ status: status === undefined ? null : Number(status), text });
}

/** A run that ended while it waited for its next try. */
function readLastAttempt(text: string): readonly LogEvent[] {
  const last = [...text.matchAll(ATTEMPT)].at(-1);
  if (last === undefined) return NO_EVENTS;
  const message = `the request failed (HTTP ${last[2]})`;
  const reason = classifyFailure({ status: Number(last[2]) });
  return [{ kind: "retry", reason, message, attempt: Number(last[1]), at: null }];
}

/** A failed `json` run leaves stdout empty and prints its object at the end of stderr. */
function readStderrDocument(text: string): readonly LogEvent[] {
  const start = text.lastIndexOf("\n{\n");
  if (start < 0) return NO_EVENTS;
  const value = parseJsonObject(text.slice(start));
  return value !== null && isDocument(value) ? readDocument(value) : NO_EVENTS;
}

/**
 * Stream figures: input has the cache reads in it, output is without the thoughts, which only the total
 * has. (Measured: prompt 1111 + answer 222 + thoughts 55 gives a total of 1388.)
 */
function readStreamUsage(stats: JsonRecord): UsageFigures {
  const input = asCount(stats.input_tokens);
  const output = asCount(stats.output_tokens);
  const total = asCount(stats.total_tokens);
  const isWhole = input !== null && output !== null && total !== null && total >= input + output;
  return {
    input,
    output: isWhole ? total - input : output,
    cacheRead: asCount(stats.cached),
    cacheWrite: null,
    reasoning: isWhole ? total - input - output : null,
  };
}

/** Figures of the `json` format, by model. */
function readDocumentUsage(stats: JsonRecord): UsageFigures {
  const models = Object.values(asRecord(stats.models)).map((model) => {
    const tokens = asRecord(asRecord(model).tokens);
    return withReasoning({
      input: asCount(tokens.prompt),
      output: asCount(tokens.candidates),
      cacheRead: asCount(tokens.cached),
      cacheWrite: null,
      reasoning: asCount(tokens.thoughts),
    });
  });
  return sumUsage(models) ?? UNKNOWN_USAGE;
}
