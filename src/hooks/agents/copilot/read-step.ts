import { asName, asRecord, asText, isRecord } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import type { StepName } from "../../step.ts";
import {
  baseOf,
  outputText,
  type StepSource,
  startSource,
  toolFields,
  turnEndFields,
} from "../build-envelope.ts";
import type { StepPlace } from "../hook-agent.ts";
import { readSnakeStep } from "../snake-steps.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { COPILOT_EVENTS } from "./abilities.ts";
import { findCamelEvent } from "./camel-event.ts";
import { CLAUDE_EVENTS } from "./claude-names.ts";
import { COPILOT_TOOLS } from "./tools.ts";

const CAMEL_STEPS = stepsByEvent(COPILOT_EVENTS);

const PASCAL = {
  events: new Map(CLAUDE_EVENTS),
  table: COPILOT_TOOLS,
  readResult: readPascalResult,
};

/** Claude Code's event names bring Claude Code's payload and want its answers. */
export const isPascal = ({ native }: Envelope): boolean =>
  typeof native.hook_event_name === "string";

export function readCopilotStep(payload: NativePayload, place: StepPlace): Envelope | null {
  const version = asName(place.env.COPILOT_CLI_BINARY_VERSION);
  const source = { agent: "copilot", version, payload, place };
  return typeof payload.hook_event_name === "string"
    ? readSnakeStep(source, PASCAL)
    : readCamelStep(source);
}

function readCamelStep(source: StepSource): Envelope | null {
  const step = CAMEL_STEPS.get(findCamelEvent(source.payload));
  if (step === undefined) return null;
  return { ...baseOf(source, step), ...camelFields(step, source.payload) };
}

function camelFields(step: StepName, payload: NativePayload) {
  switch (step) {
    case "session_start":
      return { source: startSource(payload.source) };
    case "before_prompt":
      return { prompt: asText(payload.prompt) ?? "" };
    case "before_tool":
    case "before_permission":
      return toolFields(COPILOT_TOOLS, camelCall(payload));
    case "after_tool":
      return { ...toolFields(COPILOT_TOOLS, camelCall(payload)), ...readCamelResult(payload) };
    case "before_turn_end":
      return turnEndFields(payload);
    case "before_compact":
      return { tokens: null };
    case "subagent_start":
      return { agent_type: asText(payload.agentName) ?? "" };
    case "subagent_end":
      return { agent_type: asText(payload.agentName) ?? "", ...turnEndFields(payload) };
    case "notification":
      return { text: asText(payload.message) ?? "" };
    default:
      return { reason: asText(payload.reason) ?? "" };
  }
}

const camelCall = ({ toolName, toolArgs, toolInput }: NativePayload) => ({
  tool: asText(toolName) ?? "",
  args: argumentsOf(toolArgs ?? toolInput),
});

/** Older versions hand the arguments over as a JSON text. */
function argumentsOf(value: unknown) {
  if (typeof value !== "string" || !value.startsWith("{")) return asRecord(value);
  try {
    return asRecord(JSON.parse(value));
  } catch {
    // A tool whose one argument is a free text that happens to begin like JSON.
    return {};
  }
}

function readCamelResult({ toolResult, error }: NativePayload) {
  if (toolResult === undefined) return { is_error: true, output: errorText(error) };
  return readResultObject(toolResult, "resultType", "textResultForLlm");
}

function readPascalResult({ hook_event_name, tool_response, tool_result, error }: NativePayload) {
  if (hook_event_name === "PostToolUseFailure") return { is_error: true, output: errorText(error) };
  const result = tool_result ?? tool_response;
  const isSnake = Object.hasOwn(asRecord(result), "text_result_for_llm");
  return isSnake
    ? readResultObject(result, "result_type", "text_result_for_llm")
    : readResultObject(result, "resultType", "textResultForLlm");
}

function readResultObject(result: unknown, typeKey: string, textKey: string) {
  const fields = asRecord(result);
  const type = asText(fields[typeKey]);
  return {
    is_error: type !== null && type !== "success",
    output: asText(fields[textKey]) ?? outputText(result),
  };
}

const errorText = (error: unknown): string =>
  isRecord(error) ? (asText(error.message) ?? outputText(error)) : outputText(error);
