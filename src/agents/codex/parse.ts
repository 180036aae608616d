// Codex's `exec --json` output, and the items of its app server, which are the same in another spelling; measured on
// 0.166.0.

import { snakeCase } from "../../core/command/names.ts";
import { asRecord, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure, type ErrorReason } from "../log/error-reasons.ts";
import {
  assistantMessage,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log/event.ts";
import { asCount, asList, asName, asText } from "../log/json-fields.ts";
import type { UsageFigures } from "../log/usage.ts";
import type { OutputDialect } from "../run/output/parser.ts";

const TYPE = /^(?:thread|turn|item)\.|^error$/;
const RETRY = /^Reconnecting\.{3} (\d+)\/\d+/;

export const createCodexDialect = (): OutputDialect => ({
  recognizes: ({ type }) => typeof type === "string" && TYPE.test(type),
  readRecord,
  finish: () => NO_EVENTS,
  readStderr: readCodexStderr,
});

function readRecord(record: JsonRecord): readonly LogEvent[] {
  switch (record.type) {
    case "thread.started":
      return [initEvent({ sessionId: asName(record.thread_id) })];
    case "item.started":
      return readStartedItem(asRecord(record.item));
    case "item.completed":
      return readCompletedItem(asRecord(record.item));
    case "error":
      return [readCodexError(asText(record.message) ?? "")];
    case "turn.completed":
      return [readCodexUsage(asRecord(record.usage)), finalEvent({ isSuccess: true })];
    case "turn.failed":
      return [
        readCodexError(asText(asRecord(record.error).message) ?? "the turn failed"),
        finalEvent({ isSuccess: false }),
      ];
    default:
      return NO_EVENTS;
  }
}

/** While it still tries, an error is not the end; what the server said is often JSON once more. */
export function readCodexError(text: string, known: ErrorReason | null = null): LogEvent {
  const attempt = RETRY.exec(text)?.[1];
  const reason = known ?? classifyFailure({ text });
  if (attempt === undefined) return errorEvent(reason, text);
  return { kind: "retry", reason, message: text, attempt: Number(attempt), at: null };
}

/** Tools are items; what is theirs alone becomes the call's arguments. */
const TOOL_ITEMS: Readonly<Record<string, readonly string[]>> = {
  command_execution: ["command"],
  file_change: ["changes"],
  mcp_tool_call: ["server", "tool", "arguments"],
  web_search: ["query"],
  collab_tool_call: ["tool", "prompt", "arguments"],
};

export function readStartedItem(item: JsonRecord): readonly LogEvent[] {
  const type = asName(item.type) ?? "";
  const keys = TOOL_ITEMS[type];
  const id = asName(item.id);
  if (keys === undefined || id === null) return NO_EVENTS;
  const given: Record<string, unknown> = {};
  for (const key of keys) if (item[key] !== undefined) given[key] = item[key];
  return [
    {
      kind: "tool_call",
      id,
      name: nameOf(type, item),
      arguments: given,
      at: null,
    },
  ];
}

/** An item of the app server, spelt as `exec --json` spells it. */
export function convertItemKeys(item: JsonRecord): JsonRecord {
  const spelt = toSnakeKeys(item);
  const type = snakeCase(asText(item.type) ?? "");
  const text = [...asList(item.summary), ...asList(item.content)].join("\n");
  return {
    ...spelt,
    type: type === "collab_agent_tool_call" ? "collab_tool_call" : type,
    ...(typeof item.status === "string" ? { status: snakeCase(item.status) } : {}),
    ...(type === "reasoning" ? { text } : {}),
    ...(type === "file_change" ? { changes: asList(item.changes).map(respellChange) } : {}),
  };
}

/** Its figures and fields have the same names but for their spelling. */
export const toSnakeKeys = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [snakeCase(key), value]));

function respellChange(change: unknown): JsonRecord {
  const { path, kind } = asRecord(change);
  return { path, kind: asRecord(kind).type };
}

function nameOf(type: string, { server, tool }: JsonRecord): string {
  return type === "mcp_tool_call" && typeof server === "string" && typeof tool === "string"
    ? `mcp__${server}__${tool}`
    : type;
}

export function readCompletedItem(item: JsonRecord): readonly LogEvent[] {
  if (item.type === "agent_message") return [assistantMessage(asText(item.text) ?? "")];
  if (item.type === "reasoning") {
    const text = asText(item.text) ?? "";
    return [{ kind: "delta", channel: "thinking", text, at: null, parent: null }];
  }
  // An item of type `error` is only a warning and changes nothing about the end.
  const started = readStartedItem(item);
  const id = asName(item.id);
  if (started.length === 0 || id === null) return NO_EVENTS;
  const exitCode = typeof item.exit_code === "number" ? item.exit_code : null;
  const durationMs = asCount(item.duration_ms);
  const result = { kind: "tool_result", id, durationMs, at: null } as const;
  return [
    ...started,
    {
      ...result,
      result: readResult(item),
      isError: readIsError(item.status, exitCode),
      permission: item.status === "declined" ? "denied" : null,
    },
  ];
}

function readResult(item: JsonRecord): string | null {
  const output = asText(item.aggregated_output);
  if (output !== null) return output;
  const value = item.error ?? item.result;
  if (isRecord(value)) return asName(value.message) ?? JSON.stringify(value);
  return asText(value);
}

function readIsError(status: unknown, exitCode: number | null): boolean | null {
  if (exitCode !== null && exitCode !== 0) return true;
  if (status === "failed" || status === "declined") return true;
  return status === "completed" ? false : null;
}

/** Input has the cache reads in it, output the reasoning; the figures are the whole turn's. */
export function readCodexUsage(usage: JsonRecord): LogEvent {
  const figures: UsageFigures = {
    input: asCount(usage.input_tokens),
    output: asCount(usage.output_tokens),
    cacheRead: asCount(usage.cached_input_tokens),
    cacheWrite: asCount(usage.cache_write_input_tokens),
    reasoning: asCount(usage.reasoning_output_tokens),
  };
  return { kind: "usage", figures, costUsd: null, scope: "step", at: null };
}

// In text mode Codex prints the answer alone on stdout and all else on stderr.

const VERSION = /^OpenAI Codex v(\S+)/;
const FIELD = /^(model|provider|session id|workdir): (.+)$/;
const ERROR = /^ERROR: (?!Reconnecting)(.+)$/;

/** The header between its two rules, and the errors; "tokens used" counts something else and is left. */
function readCodexStderr(text: string, format: "structured" | "text"): readonly LogEvent[] {
  if (format === "structured") return NO_EVENTS;
  const lines = text.split("\n");
  const start = lines.findIndex((line) => VERSION.test(line));
  const header = start < 0 ? [] : lines.slice(start, start + 12);
  const fields = new Map(
    header.map((line) => FIELD.exec(line)).map((found) => [found?.[1], found?.[2]]),
  );
  return [
    initEvent({
      agentVersion: VERSION.exec(lines[start] ?? "")?.[1] ?? null,
      model: fields.get("model") ?? null,
      provider: fields.get("provider") ?? null,
      sessionId: fields.get("session id") ?? null,
      workingDirectory: fields.get("workdir") ?? null,
    }),
    ...lines.flatMap((line): LogEvent[] => {
      const message = ERROR.exec(line)?.[1];
      return message === undefined ? [] : [errorEvent(classifyFailure({ text: message }), message)];
    }),
  ];
}
