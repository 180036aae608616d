// The payload that began with Claude Code and that several agents took over: snake_case fields, the event's name
// in `hook_event_name`.
import { asCount, asText } from "../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../envelope.ts";
import type { StepName } from "../step.ts";
import {
  baseOf,
  type StepSource,
  snakeToolCall,
  startSource,
  toolFields,
  turnEndFields,
} from "./build-envelope.ts";
import type { ToolTable } from "./tool-table.ts";

export interface SnakeDialect {
  readonly events: ReadonlyMap<unknown, StepName>;
  readonly table: ToolTable;
  /** What after_tool says of the result; empty where the agent does not say whether it failed. */
  readResult(payload: NativePayload): { readonly output: string; readonly is_error?: boolean };
}

export function readSnakeStep(source: StepSource, dialect: SnakeDialect): Envelope | null {
  const step = dialect.events.get(source.payload.hook_event_name);
  if (step === undefined) return null;
  return { ...baseOf(source, step), ...fieldsOf(step, source.payload, dialect) };
}

function fieldsOf(step: StepName, payload: NativePayload, dialect: SnakeDialect) {
  switch (step) {
    case "session_start":
      return { source: startSource(payload.source) };
    case "before_prompt":
      return { prompt: asText(payload.prompt) ?? "" };
    case "before_tool":
    case "before_permission":
      return toolFields(dialect.table, snakeToolCall(payload));
    case "after_tool":
      return {
        ...toolFields(dialect.table, snakeToolCall(payload)),
        ...dialect.readResult(payload),
      };
    case "before_turn_end":
      return turnEndFields(payload);
    default:
      return otherFields(step, payload);
  }
}

function otherFields(step: StepName, payload: NativePayload) {
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
