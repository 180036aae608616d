// Gemini CLI's `stream-json` and `json` output, measured on 0.61.0.
import { classifyFailure } from "../error-codes.ts";
import {
  asAmount,
  asCount,
  asName,
  asRecord,
  asText,
  asTimestamp,
  isRecord,
  type JsonRecord,
} from "../json-fields.ts";
import {
  answerDelta,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log-event.ts";
import type { OutputDialect } from "../output-dialect.ts";
import { kindOfTool } from "../tool-kind.ts";
import { readDocumentUsage, readStreamUsage } from "./usage.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  "init",
  "message",
  "tool_use",
  "tool_result",
  "error",
  "result",
]);

export function createGeminiDialect(): OutputDialect {
  const shellCalls = new Set<string>();

  function readToolUse(record: JsonRecord, at: string | null): readonly LogEvent[] {
    const id = asName(record.tool_id);
    const name = asName(record.tool_name);
    if (id === null || name === null) return NO_EVENTS;
    if (kindOfTool(name) === "shell") shellCalls.add(id);
    return [{ kind: "tool_call", id, name, arguments: record.parameters ?? null, at }];
  }

  function readToolResult(record: JsonRecord, at: string | null): readonly LogEvent[] {
    const id = asName(record.tool_id);
    if (id === null) return NO_EVENTS;
    const isError = record.status === "error";
    // "success" only says that a shell ran: of a command's exit code stdout tells nothing.
    const isUnknown = !isError && shellCalls.has(id);
    const result = asText(record.output) ?? asName(asRecord(record.error).message);
    const judged = { isError: isUnknown ? null : isError, permission: null, durationMs: null };
    return [{ kind: "tool_result", id, result, at, ...judged }];
  }

  function readRecord(record: JsonRecord): readonly LogEvent[] {
    const at = asTimestamp(record.timestamp);
    switch (record.type) {
      case "init":
        return [
          initEvent({ at, sessionId: asName(record.session_id), model: asName(record.model) }),
        ];
      case "message":
        return readMessage(record, at);
      case "tool_use":
        return readToolUse(record, at);
      case "tool_result":
        return readToolResult(record, at);
      case "error":
        return readWarning(record, at);
      case "result":
        return readResult(record, at);
      default:
        return isDocument(record) ? readDocument(record) : NO_EVENTS;
    }
  }

  return {
    recognizes: (record) =>
      (TYPES.has(record.type) && typeof record.timestamp === "string") || isDocument(record),
    readRecord,
    finish: () => NO_EVENTS,
    readStderr: readStderrDocument,
  };
}

function readMessage(record: JsonRecord, at: string | null): readonly LogEvent[] {
  const content = asText(record.content) ?? "";
  if (record.delta === true) return [answerDelta(content, at)];
  const role = record.role === "user" ? "user" : "assistant";
  return [{ kind: "message", role, content, at, parent: null, isStreamed: false }];
}

/** An `error` event is a warning in mid-run; only the `result` says how it ended. */
function readWarning(record: JsonRecord, at: string | null): readonly LogEvent[] {
  if (record.severity === "warning") return NO_EVENTS;
  const message = asName(record.message) ?? asName(asRecord(record.error).message);
  return message === null
    ? NO_EVENTS
    : [errorEvent(classifyFailure({ text: message }), message, at)];
}

function readResult(record: JsonRecord, at: string | null): LogEvent[] {
  const isSuccess = record.status === "success";
  const figures = readStreamUsage(asRecord(record.stats));
  return [
    { kind: "usage", figures, costUsd: null, scope: "run", at },
    ...(isSuccess ? [] : [describeError(asRecord(record.error), at)]),
    finalEvent({ isSuccess, at, durationMs: asAmount(asRecord(record.stats).duration_ms) }),
  ];
}

/** Its `type` is "unknown" for nearly everything; the message holds the server's JSON. */
function describeError({ message, code, type }: JsonRecord, at: string | null): LogEvent {
  const text = asName(message) ?? "the run failed";
  const word = asName(type);
  const isLimit = word === "FatalTurnLimitedError";
  const reason = isLimit ? "MAX_TURNS" : classifyFailure({ status: asCount(code), text });
  return errorEvent(reason, text, at);
}

/** `--output-format json` is one object: the answer and the figures, or an error. */
const isDocument = (record: JsonRecord): boolean =>
  record.type === undefined &&
  ((typeof record.response === "string" && isRecord(record.stats)) || isRecord(record.error)) &&
  typeof record.session_id === "string";

function readDocument(record: JsonRecord): LogEvent[] {
  const { stats, error } = record;
  const [model] = Object.keys(asRecord(asRecord(stats).models));
  const isSuccess = !isRecord(error);
  return [
    initEvent({ sessionId: asName(record.session_id), model: model ?? null }),
    ...(isRecord(stats)
      ? [
          {
            kind: "usage",
            figures: readDocumentUsage(stats),
            costUsd: null,
            scope: "run",
            at: null,
          } as const,
        ]
      : []),
    ...(isSuccess ? [] : [describeError(error, null)]),
    finalEvent({ isSuccess, text: asText(record.response), turns: readTurns(stats) }),
  ];
}

/** Requests that succeeded, over all models. */
function readTurns(stats: unknown): number | null {
  const models = Object.values(asRecord(asRecord(stats).models));
  if (models.length === 0) return null;
  const counts = models.map((model) => {
    const { totalRequests, totalErrors } = asRecord(asRecord(model).api);
    const requests = asCount(totalRequests);
    return requests === null ? null : requests - (asCount(totalErrors) ?? 0);
  });
  return counts.includes(null)
    ? null
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** A failed `json` run leaves stdout empty and prints its object at the end of stderr. */
function readStderrDocument(text: string): readonly LogEvent[] {
  const start = text.lastIndexOf("\n{\n");
  if (start < 0) return NO_EVENTS;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return isRecord(value) && isDocument(value) ? readDocument(value) : NO_EVENTS;
  } catch {
    return NO_EVENTS;
  }
}
