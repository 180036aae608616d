import { asName, asRecord } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import { outputText, partsText } from "../build-envelope.ts";
import type { HookAgent, StepPlace } from "../hook-agent.ts";
import { readSnakeStep } from "../snake-steps.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { readCalls } from "../tool-table.ts";
import { QWEN_ABILITIES, QWEN_EVENTS } from "./abilities.ts";
import { writeQwenAnswer } from "./answer.ts";
import { QWEN_TOOLS } from "./tools.ts";

const DIALECT = {
  events: stepsByEvent(QWEN_EVENTS),
  table: QWEN_TOOLS,
  readResult,
};

export const qwenHooks: HookAgent = {
  name: "qwen",
  abilities: QWEN_ABILITIES,
  readStep,
  silence: () => "",
  writeAnswer: writeQwenAnswer,
  readPromptToAnswer: () => null,
  writePromptAnswer: () => null,
  ...readCalls(QWEN_TOOLS),
};

function readStep(payload: NativePayload, place: StepPlace): Envelope | null {
  if (isContinuation(payload)) return null;
  const version = asName(place.env.QWEN_CODE_STARTUP_VERSION);
  return readSnakeStep({ agent: "qwen", version, payload, place }, DIALECT);
}

/** UserPromptSubmit also fires when tool results go back to the model, with an empty prompt. */
const isContinuation = ({ hook_event_name, prompt, submitted_prompt }: NativePayload): boolean =>
  hook_event_name === "UserPromptSubmit" && !asName(prompt) && !asName(submitted_prompt);

function readResult(payload: NativePayload) {
  if (payload.hook_event_name === "PostToolUseFailure")
    return { is_error: true, output: outputText(payload.error) };
  const { llmContent } = asRecord(payload.tool_response);
  const output =
    llmContent === undefined ? outputText(payload.tool_response) : partsText(llmContent);
  return { is_error: false, output };
}
