// The payloads of our own plugin: `event` names the step by opencode's word for it.
import { asCount, asFlag, asName, asRecord, asText } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import type { StepName } from "../../step.ts";
import { baseOf, outputText, startSource, toolFields } from "../build-envelope.ts";
import type { HookAgent, StepPlace } from "../hook-agent.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { readCalls } from "../tool-table.ts";
import { OPENCODE_ABILITIES, OPENCODE_EVENTS } from "./abilities.ts";
import { OPENCODE_SILENCE, writeOpencodeAnswer } from "./answer.ts";
import { OPENCODE_TOOLS } from "./tools.ts";

const STEPS = stepsByEvent(OPENCODE_EVENTS);

export const opencodeHooks: HookAgent = {
  name: "opencode",
  abilities: OPENCODE_ABILITIES,
  readStep,
  silence: () => OPENCODE_SILENCE,
  writeAnswer: writeOpencodeAnswer,
  readPromptToAnswer: () => null,
  writePromptAnswer: () => null,
  ...readCalls(OPENCODE_TOOLS),
};

function readStep(payload: NativePayload, place: StepPlace): Envelope | null {
  const step = STEPS.get(payload.event);
  if (step === undefined) return null;
  const version = asName(payload.version);
  return {
    ...baseOf({ agent: "opencode", version, payload, place }, step),
    ...fieldsOf(step, payload),
  };
}

function fieldsOf(step: StepName, payload: NativePayload) {
  switch (step) {
    case "session_start":
      return { source: startSource(payload.source) };
    case "before_prompt":
      return { prompt: asText(payload.prompt) ?? "" };
    case "before_tool":
    case "before_permission":
      return toolFields(OPENCODE_TOOLS, callOf(payload));
    case "after_tool":
      return {
        ...toolFields(OPENCODE_TOOLS, callOf(payload)),
        is_error: asFlag(payload.is_error) ?? false,
        output: outputText(payload.output),
      };
    case "before_turn_end":
      return turnEnd(asCount(payload.continues_so_far));
    case "session_end":
      return { reason: "deleted" };
    default:
      return { tokens: null };
  }
}

const callOf = ({ tool, args }: NativePayload) => ({
  tool: asText(tool) ?? "",
  args: asRecord(args),
});

/** The one agent that counts: it is our plugin that carries a turn on. */
const turnEnd = (count: number | null) => ({
  stop_reason: null,
  ...(count === null ? {} : { continues_so_far: count }),
});
