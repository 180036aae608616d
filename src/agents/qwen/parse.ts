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
import { errorEvent, finalEvent, initEvent, type LogEvent, NO_EVENTS } from "../log-event.ts";
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

export class QwenDialect implements OutputDialect {
  readonly #shellCalls = new Set<string>();
  #version: string | null = null;

  readonly recognizes = ({ type, session_id }: JsonRecord): boolean =>
    TYPES.has(type) && typeof session_id === "string";

  readRecord(record: JsonRecord): readonly LogEvent[] {
    const origin = { at: null, parent: asName(record.parent_tool_use_id) };
    const { content } = asRecord(record.message);
    switch (record.type) {
      case "stream_event":
        return readStreamEvent(record.event, origin).filter((event) => !isApiErrorDelta(event));
      case "assistant":
        return readAssistantBlocks(content, origin).map((event) => this.#readAnswer(event));
      case "user":
        return readUserBlocks(content, origin).map((event) => this.#judge(event));
      case "system":
        if (record.subtype === "init") return [this.#readInit(record)];
        return record.subtype === "retry" ? [readRetry(record)] : NO_EVENTS;
      case "result":
        return readResult(record);
      default:
        return NO_EVENTS;
    }
  }

  finish(): readonly LogEvent[] {
    return NO_EVENTS;
  }

  /** In text mode an API error is a line of stderr. */
  readStderr(text: string): readonly LogEvent[] {
    const line = text.split("\n").find((candidate) => candidate.startsWith(API_ERROR));
    return line === undefined ? NO_EVENTS : [describeApiError(line)];
  }

  #readInit(record: JsonRecord): LogEvent {
    this.#version = asName(record.qwen_code_version);
    return initEvent({
      sessionId: asName(record.session_id),
      model: asName(record.model),
      agentVersion: this.#version,
      workingDirectory: asName(record.cwd),
    });
  }

  #readAnswer(event: LogEvent): LogEvent {
    if (event.kind === "tool_call" && kindOfTool(event.name) === "shell")
      this.#shellCalls.add(event.id);
    const isError = event.kind === "message" && event.content.startsWith(API_ERROR);
    return isError ? describeApiError(event.content) : event;
  }

  #judge(event: LogEvent): LogEvent {
    if (event.kind !== "tool_result" || event.isError !== false) return event;
    const isDoubtful = this.#shellCalls.has(event.id) && !tellsFailedCommands(this.#version);
    return isDoubtful ? { ...event, isError: null } : event;
  }
}

const isApiErrorDelta = (event: LogEvent): boolean =>
  event.kind === "delta" && event.text.startsWith(API_ERROR);

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
