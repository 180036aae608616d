// Qwen Code's `stream-json` and `json` output, measured on 0.15.10 and 0.24.4.

import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure } from "../log/error-reasons.ts";
import { errorEvent, finalEvent, initEvent, type LogEvent, NO_EVENTS } from "../log/event.ts";
import { asAmount, asCount, asFlag, asName, asText } from "../log/json-fields.ts";
import { addTokens, type UsageFigures } from "../log/usage.ts";
import { compareVersions } from "../run/capabilities.ts";
import {
  isMessageRecord,
  readAssistantBlocks,
  readStreamEvent,
  readUserBlocks,
} from "../run/output/message-blocks.ts";
import type { OutputDialect } from "../run/output/parser.ts";
import { findTool } from "../steps/tool-table.ts";
import { QWEN_TOOLS } from "./tools.ts";

// 0.15.10 prints an API error as a normal answer, with success and exit code 0.
const API_ERROR = "[API Error:";

export class QwenDialect implements OutputDialect {
  readonly #shellCalls = new Set<string>();
  #version: string | null = null;
  /** Printed as the last piece of an answer that was cut. */
  #failure: string | null = null;
  #isWaiting = false;

  readonly recognizes = isMessageRecord;

  readRecord(record: JsonRecord): readonly LogEvent[] {
    const origin = { at: null, parent: asName(record.parent_tool_use_id) };
    const { content } = asRecord(record.message);
    this.#isWaiting = record.type === "system" && record.subtype === "retry";
    switch (record.type) {
      case "stream_event":
        return readStreamEvent(record.event, origin).filter((event) => !this.#isFailure(event));
      case "assistant":
        return readAssistantBlocks(content, origin).flatMap((event) => this.#readAnswer(event));
      case "user":
        return readUserBlocks(content, origin).map((event) => this.#judge(event));
      case "system":
        if (record.subtype === "init") return [this.#readInit(record)];
        return this.#isWaiting ? [readRetry(asRecord(record.data))] : NO_EVENTS;
      case "result":
        return readResult(record);
      default:
        return NO_EVENTS;
    }
  }

  finish(): readonly LogEvent[] {
    return NO_EVENTS;
  }

  /** In text mode an API error is a line of stderr; so is why it waits for its next try in any mode. */
  readStderr(text: string): readonly LogEvent[] {
    if (this.#isWaiting) return readWaiting(text);
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
      ...(Array.isArray(record.tools) ? { tools: record.tools.map(String) } : {}),
    });
  }

  #isFailure(event: LogEvent): boolean {
    const isFailure = event.kind === "delta" && event.text.startsWith(API_ERROR);
    if (isFailure) this.#failure = event.text;
    return isFailure;
  }

  #readAnswer(event: LogEvent): LogEvent[] {
    if (event.kind === "tool_call" && findTool(QWEN_TOOLS, event.name).kind === "shell")
      this.#shellCalls.add(event.id);
    if (event.kind !== "message") return [event];
    const { content } = event;
    if (content.startsWith(API_ERROR)) return [describeApiError(content)];
    const failure = this.#failure;
    if (failure === null || !content.endsWith(failure)) return [event];
    return [{ ...event, content: content.slice(0, -failure.length) }, describeApiError(failure)];
  }

  #judge(event: LogEvent): LogEvent {
    if (event.kind !== "tool_result" || event.isError !== false) return event;
    const isDoubtful = this.#shellCalls.has(event.id) && !tellsFailedCommands(this.#version);
    return isDoubtful ? { ...event, isError: null } : event;
  }
}

const describeApiError = (text: string): LogEvent => errorEvent(classifyFailure({ text }), text);

/** The event has no reason. */
const readRetry = ({ attempt }: JsonRecord): LogEvent => ({
  kind: "retry",
  reason: "UNKNOWN",
  message: "the request failed",
  attempt: asCount(attempt),
  at: null,
});

const WAITING = /^Retrying in .*?\(attempt (\d+)\/\d+\): (.+)$/gm;

function readWaiting(text: string): readonly LogEvent[] {
  const [, attempt, message = ""] = [...text.matchAll(WAITING)].at(-1) ?? [];
  if (message === "") return NO_EVENTS;
  const reason = classifyFailure({ text: message });
  return [{ kind: "retry", reason, message, attempt: Number(attempt), at: null }];
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

/**
 * Totals of a `result` event. Input has the cache reads in it; output has the reasoning in it except
 * behind models whose total is larger than the two together.
 */
function readQwenUsage(result: JsonRecord): UsageFigures {
  const usage = asRecord(result.usage);
  const input = asCount(usage.input_tokens);
  const output = asCount(usage.output_tokens);
  const total = asCount(usage.total_tokens);
  const isLarger = total !== null && input !== null && output !== null && total > input + output;
  return {
    input,
    output: isLarger ? total - input : output,
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite: asCount(usage.cache_creation_input_tokens),
    reasoning: readReasoning(result),
  };
}

/** Only the `json` format has it. */
function readReasoning(result: JsonRecord): number | null {
  const models = Object.values(asRecord(asRecord(result.stats).models));
  if (models.length === 0) return null;
  return addTokens(...models.map((model) => asCount(asRecord(asRecord(model).tokens).thoughts)));
}

/** From this version on a failed shell command is reported as an error; earlier ones call it a success. */
const tellsFailedCommands = (version: string | null): boolean =>
  version !== null && compareVersions(version, "0.24.0") >= 0;
