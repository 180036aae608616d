// Qwen Code's `stream-json` and `json` output, measured on 0.15.10 and 0.24.4.
import { classifyFailure } from "../error-codes.ts";
import {
  asAmount,
  asCount,
  asFlag,
  asName,
  asRecord,
  asText,
  type JsonRecord,
} from "../json-fields.ts";
import {
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
  type ToolCallEvent,
} from "../log-event.ts";
import { readAssistantBlocks, readStreamEvent, readUserBlocks } from "../message-blocks.ts";
import type { OutputDialect } from "../output-dialect.ts";
import { kindOfTool } from "../tool-kind.ts";
import { tellsFailedCommands } from "./capabilities.ts";
import { readQwenUsage } from "./usage.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  "system",
  "assistant",
  "user",
  "result",
  "stream_event",
]);

// 0.15.10 prints an API error as a normal answer, with success and exit code 0.
const API_ERROR = "[API Error:";

export function createQwenDialect(): OutputDialect {
  const shellCalls = new Set<string>();
  let version: string | null = null;

  function readInit(record: JsonRecord): LogEvent[] {
    version = asName(record.qwen_code_version);
    return [
      initEvent({
        sessionId: asName(record.session_id),
        model: asName(record.model),
        agentVersion: version,
        workingDirectory: asName(record.cwd),
      }),
    ];
  }

  function noteShell(event: ToolCallEvent): void {
    if (kindOfTool(event.name) === "shell") shellCalls.add(event.id);
  }

  function judge(event: LogEvent): LogEvent {
    if (event.kind === "tool_call") noteShell(event);
    if (event.kind !== "tool_result" || event.isError !== false) return event;
    const isDoubtful = shellCalls.has(event.id) && !tellsFailedCommands(version);
    return isDoubtful ? { ...event, isError: null } : event;
  }

  function readRecord(record: JsonRecord): readonly LogEvent[] {
    const origin = { at: null, parent: asName(record.parent_tool_use_id) };
    const { content } = asRecord(record.message);
    switch (record.type) {
      case "stream_event":
        return readStreamEvent(record.event, origin);
      case "assistant":
        return readAssistantBlocks(content, origin).map(judge).map(readApiError);
      case "user":
        return readUserBlocks(content, origin).map(judge);
      case "system":
        if (record.subtype === "init") return readInit(record);
        return record.subtype === "retry" ? [readRetry(record)] : NO_EVENTS;
      case "result":
        return readResult(record);
      default:
        return NO_EVENTS;
    }
  }

  return {
    recognizes: ({ type, session_id }) => TYPES.has(type) && typeof session_id === "string",
    readRecord,
    finish: () => NO_EVENTS,
    readStderr: (text) => readStderrError(text),
  };
}

function readApiError(event: LogEvent): LogEvent {
  const isError = event.kind === "message" && event.content.startsWith(API_ERROR);
  return isError ? describeApiError(event.content) : event;
}

const describeApiError = (text: string): LogEvent => errorEvent(classifyFailure({ text }), text);

function readRetry(record: JsonRecord): LogEvent {
  const message = asName(record.message) ?? asName(record.error) ?? "the request failed";
  const status = asCount(record.error_status) ?? asCount(record.status);
  const reason = classifyFailure({ status, text: message });
  return { kind: "retry", reason, message, attempt: asCount(record.attempt), at: null };
}

function readResult(record: JsonRecord): LogEvent[] {
  const text = asText(record.result);
  const failure =
    asName(asRecord(record.error).message) ?? (text?.startsWith(API_ERROR) ? text : null);
  const isError = asFlag(record.is_error) === true || failure !== null;
  const error = isError ? [describeFailure(record, failure ?? text)] : [];
  return [
    initEvent({ sessionId: asName(record.session_id) }),
    { kind: "usage", figures: readQwenUsage(record), costUsd: null, scope: "run", at: null },
    ...error,
    finalEvent({
      isSuccess: !isError,
      stopReason: asName(record.stop_reason),
      turns: asCount(record.num_turns),
      durationMs: asAmount(record.duration_ms),
      text: isError ? null : text,
    }),
  ];
}

function describeFailure(record: JsonRecord, text: string | null): LogEvent {
  const subtype = asName(record.subtype);
  const message = text || subtype || "the run failed";
  if (subtype === "error_max_turns") return errorEvent("MAX_TURNS", message);
  return describeApiError(message);
}

/** In text mode an API error is a line of stderr. */
function readStderrError(text: string): LogEvent[] {
  const line = text.split("\n").find((candidate) => candidate.startsWith(API_ERROR));
  return line === undefined ? [] : [describeApiError(line)];
}
