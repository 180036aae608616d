// Claude Code's `stream-json` and `json` output, measured on 2.1.197 and 2.1.325.

import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure, type ErrorReason } from "../log/error-reasons.ts";
import {
  assistantMessage,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
  type ToolResultEvent,
} from "../log/event.ts";
import {
  asAmount,
  asCount,
  asFlag,
  asList,
  asName,
  asText,
  asTimestamp,
} from "../log/json-fields.ts";
import { sumUsage, type UsageFigures, withCache } from "../log/usage.ts";
import {
  contentText,
  isMessageRecord,
  readAssistantBlocks,
  readStreamEvent,
  readUserBlocks,
} from "../run/output/message-blocks.ts";
import type { OutputDialect } from "../run/output/parser.ts";

export const createClaudeCodeDialect = (): OutputDialect => ({
  recognizes: isMessageRecord,
  readRecord,
  finish: () => NO_EVENTS,
});

function readRecord(record: JsonRecord): readonly LogEvent[] {
  const origin = {
    at: asTimestamp(record.timestamp),
    parent: asName(record.parent_tool_use_id),
  };
  switch (record.type) {
    case "stream_event":
      return readStreamEvent(record.event, origin);
    case "assistant":
      return readAssistant(record, origin);
    case "user":
      return applyPermissions(readUserBlocks(asRecord(record.message).content, origin), record);
    case "system":
      return readSystem(record);
    case "result":
      return readResult(record);
    default:
      return NO_EVENTS;
  }
}

function readSystem(record: JsonRecord): readonly LogEvent[] {
  if (record.subtype === "api_retry") return [readRetry(record)];
  if (record.subtype !== "init") return NO_EVENTS;
  return [
    initEvent({
      sessionId: asName(record.session_id),
      model: asName(record.model),
      agentVersion: asName(record.claude_code_version),
      workingDirectory: asName(record.cwd),
      ...(Array.isArray(record.tools) ? { tools: record.tools.map(String) } : {}),
    }),
  ];
}

function readRetry({ error_status, error, attempt }: JsonRecord): LogEvent {
  const status = asCount(error_status);
  const word = asName(error) ?? "the request failed";
  const message = status === null ? word : `${word} (HTTP ${status})`;
  const reason = classifyFailure({ status, word });
  return { kind: "retry", reason, message, attempt: asCount(attempt), at: null };
}

/** A failed request is printed as an answer of the made-up model `<synthetic>`. */
function readAssistant(
  record: JsonRecord,
  origin: { readonly at: string | null; readonly parent: string | null },
): readonly LogEvent[] {
  const message = asRecord(record.message);
  const word = asName(record.error);
  if (word === null && record.is_api_error_message !== true)
    return readAssistantBlocks(message.content, origin);
  const text = contentText(message.content);
  // `server_error` is also its word for a lost connection, which the text tells apart.
  const [surer, vaguer] = word === "server_error" ? [text, word] : [word, text];
  const status = asCount(record.api_error_status);
  const reason = classifyFailure({ status, word: surer, text: vaguer });
  return [errorEvent(reason, text, origin.at)];
}

/** Newer versions say beside a tool's result who let it run. */
function applyPermissions(events: LogEvent[], record: JsonRecord): LogEvent[] {
  const decisions = new Map(
    asList(record.tool_result_meta).map((entry) => {
      const { id, permission_decision } = asRecord(entry);
      return [id, asName(asRecord(permission_decision).decision)] as const;
    }),
  );
  if (decisions.size === 0) return events;
  return events.map((event) => {
    const decision = event.kind === "tool_result" ? decisions.get(event.id) : undefined;
    if (event.kind !== "tool_result" || !decision) return event;
    return { ...event, permission: decision === "accept" ? "allowed" : "denied" };
  });
}

function readResult(record: JsonRecord): LogEvent[] {
  const isError = asFlag(record.is_error) === true || isErrorSubtype(record.subtype);
  const text = asText(record.result);
  return [
    initEvent({
      sessionId: asName(record.session_id),
      model: Object.keys(asRecord(record.modelUsage))[0] ?? null,
      provider: readProvider(record),
    }),
    ...readDenials(record),
    ...readStructured(record),
    {
      kind: "usage",
      figures: readClaudeUsage(record),
      costUsd: asAmount(record.total_cost_usd),
      scope: "run",
      at: null,
    },
    ...(isError ? [describeFailure(record, text)] : []),
    finalEvent({
      isSuccess: !isError,
      stopReason: asName(record.stop_reason) ?? asName(record.terminal_reason),
      turns: asCount(record.num_turns),
      durationMs: asAmount(record.duration_ms),
      text: isError ? null : text,
    }),
  ];
}

/** With `--json-schema` the answer is not among the words but beside them. */
const readStructured = ({ structured_output: data }: JsonRecord): LogEvent[] =>
  data === undefined ? [] : [assistantMessage(JSON.stringify(data))];

const isErrorSubtype = (subtype: unknown): boolean =>
  typeof subtype === "string" && subtype.startsWith("error");

function describeFailure(record: JsonRecord, text: string | null): LogEvent {
  const listed = asList(record.errors).map((error) => asText(error) ?? contentText([error]));
  const message = text || listed.join("\n") || asName(record.subtype) || "the run failed";
  return errorEvent(reasonOfResult(record, message), message);
}

function reasonOfResult(record: JsonRecord, text: string): ErrorReason {
  const subtype = asName(record.subtype);
  if (subtype === "error_max_turns" || subtype === "error_max_budget_usd") return "MAX_TURNS";
  if (record.stop_reason === "refusal") return "REFUSED";
  return classifyFailure({ status: asCount(record.api_error_status), text });
}

function readDenials(record: JsonRecord): ToolResultEvent[] {
  return asList(record.permission_denials).flatMap((denial) => {
    const id = asName(asRecord(denial).tool_use_id);
    if (id === null) return [];
    const unsaid = { result: null, isError: null, durationMs: null, at: null };
    return [{ kind: "tool_result", id, permission: "denied", ...unsaid }];
  });
}

/** `firstParty` is the constant; a cloud says its own name. */
function readProvider(record: JsonRecord): string | null {
  const [model] = Object.values(asRecord(record.modelUsage));
  const provider = asName(asRecord(model).provider);
  return provider === "firstParty" ? null : provider;
}

/**
 * The run's totals from its `result` event. `modelUsage` covers every model and stays right when a
 * budget ends the run, where `usage` is all zero (2.1.197); it is empty when no request succeeded.
 */
function readClaudeUsage(result: JsonRecord): UsageFigures {
  const models = Object.values(asRecord(result.modelUsage)).map(asRecord);
  return withCache(sumUsage(models.map(readModel)) ?? readTotals(asRecord(result.usage)));
}

const readModel = (model: JsonRecord): UsageFigures => ({
  input: asCount(model.inputTokens),
  output: asCount(model.outputTokens),
  cacheRead: asCount(model.cacheReadInputTokens),
  cacheWrite: asCount(model.cacheCreationInputTokens),
  reasoning: asCount(model.thinkingTokens),
});

const readTotals = (usage: JsonRecord): UsageFigures => ({
  input: asCount(usage.input_tokens),
  output: asCount(usage.output_tokens),
  cacheRead: asCount(usage.cache_read_input_tokens),
  cacheWrite: asCount(usage.cache_creation_input_tokens),
  reasoning: asCount(asRecord(usage.output_tokens_details).thinking_tokens),
});
