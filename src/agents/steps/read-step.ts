// From an agent's payload to the canonical envelope. Payloads change without notice: a field of the wrong type
// counts as missing, and nothing here throws.

import { asRecord, isRecord, parseJsonObject } from "../../core/project/json-value.ts";
import type { Envelope, NativePayload, ToolArguments } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { asCount, asFlag, asName, asText } from "../log/json-fields.ts";
import type { StepContext } from "./hook-agent.ts";
import { findTool, type ToolTable } from "./tool-table.ts";

export interface StepSource {
  readonly agent: string;
  readonly version?: string | null;
  readonly payload: NativePayload;
  readonly context: StepContext;
}

/** A session that does not say its name; it is never mixed up with one that does. */
export const NO_SESSION = "unknown";

export function baseOf(source: StepSource, step: StepName): Envelope {
  const { agent, version, payload, context } = source;
  return {
    protocol: 1,
    step,
    agent,
    ...(version ? { agent_version: version } : {}),
    session_id: asName(payload.session_id) ?? asName(payload.sessionId) ?? NO_SESSION,
    cwd: asName(payload.cwd) ?? context.cwd,
    correlation_id: context.correlationId,
    time: context.time,
    native: payload,
  };
}

export interface NativeToolCall {
  readonly tool: string;
  readonly args: ToolArguments;
}

function toolFields(table: ToolTable, { tool, args }: NativeToolCall) {
  return { tool, kind: findTool(table, tool).kind, args };
}

/** The two fields most agents agree on. */
const snakeToolCall = (payload: NativePayload): NativeToolCall => ({
  tool: asText(payload.tool_name) ?? "",
  args: argumentsOf(payload.tool_input),
});

/** Some tools take one text, or a list; older versions hand the arguments over as a JSON text. */
export function argumentsOf(value: unknown): ToolArguments {
  if (typeof value === "string") return parseJsonObject(value) ?? { input: value };
  return Array.isArray(value) ? { input: value } : asRecord(value);
}

const SOURCES: ReadonlyMap<unknown, NonNullable<Envelope["source"]>> = new Map([
  ["resume", "resume"],
  // A fork carries the conversation on under another name.
  ["fork", "resume"],
  ["clear", "clear"],
  ["compact", "compact"],
]);

const startSource = (source: unknown) => SOURCES.get(source) ?? "new";

/**
 * No agent tells how often its turn was carried on, only whether this end follows a continuation: `false` is a
 * count of zero, `true` is none, and whoever asks has to count.
 */
export const turnEndFields = (payload: NativePayload) => ({
  stop_reason: asText(payload.stop_reason) ?? asText(payload.stopReason),
  ...(asFlag(payload.stop_hook_active) === false ? { continues_so_far: 0 } : {}),
});

/** A result as text: as it is, or as JSON where the agent has a structure. */
export function outputText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** `llmContent` of the tools of Gemini CLI and its fork: a text, a part, or a list of parts. */
export function partsText(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => (isRecord(part) ? asText(part.text) : asText(part)));
  return texts.every((text) => text === null) ? outputText(value) : texts.join("");
}

/** How an agent's payload says what belongs to a step. */
interface StepDialect {
  readonly table: ToolTable;
  /** By default from the two fields that most agents agree on. */
  readonly readCall?: (payload: NativePayload) => NativeToolCall;
  /** What after_tool says of the result; empty where the agent does not say whether it failed. */
  readResult(payload: NativePayload): { readonly output: string; readonly is_error?: boolean };
  /** Steps whose fields the agent has in another way than most. */
  readonly own?: Readonly<Partial<Record<StepName, (payload: NativePayload) => StepFields>>>;
}

type StepFields = Partial<Envelope>;

export function stepFields(
  step: StepName,
  payload: NativePayload,
  dialect: StepDialect,
): StepFields {
  const { table, readCall = snakeToolCall, readResult, own } = dialect;
  const read = own?.[step];
  if (read !== undefined) return read(payload);
  switch (step) {
    case "session_start":
      return { source: startSource(payload.source) };
    case "before_prompt":
      return { prompt: asText(payload.prompt) ?? "" };
    case "before_tool":
    case "before_permission":
      return toolFields(table, readCall(payload));
    case "after_tool":
      return { ...toolFields(table, readCall(payload)), ...readResult(payload) };
    case "before_turn_end":
      return turnEndFields(payload);
    default:
      return otherFields(step, payload);
  }
}

function otherFields(step: StepName, payload: NativePayload): StepFields {
  switch (step) {
    case "before_compact":
    case "after_compact":
      return { tokens: asCount(payload.context_tokens) ?? asCount(payload.input_tokens) };
    case "subagent_start":
      return { agent_type: asText(payload.agent_type) ?? "" };
    case "subagent_end":
      return { agent_type: asText(payload.agent_type) ?? "", ...turnEndFields(payload) };
    case "notification":
      return { text: asText(payload.message) ?? "" };
    case "session_end":
      return { reason: asText(payload.reason) ?? "" };
    default:
      return {};
  }
}

// The payload that began with Claude Code and that several agents took over: snake_case fields, the event's name
// in `hook_event_name`.

interface SnakeDialect extends StepDialect {
  readonly events: ReadonlyMap<unknown, StepName>;
}

export function readSnakeStep(source: StepSource, dialect: SnakeDialect): Envelope | null {
  const step = dialect.events.get(source.payload.hook_event_name);
  if (step === undefined) return null;
  return { ...baseOf(source, step), ...stepFields(step, source.payload, dialect) };
}
