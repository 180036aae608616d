import type { Envelope, NativePayload } from "../../envelope.ts";
import type { HookAgent, PromptAnswer, StepPlace } from "../hook-agent.ts";
import { printAnswer, shownOutput } from "../print-answer.ts";
import { readCalls } from "../tool-table.ts";
import { COPILOT_ABILITIES } from "./abilities.ts";
import { writeCopilotAnswer } from "./answer.ts";
import { readCopilotStep } from "./read-step.ts";
import { COPILOT_TOOLS } from "./tools.ts";

export const copilotHooks: HookAgent = {
  name: "copilot",
  abilities: COPILOT_ABILITIES,
  readStep: readCopilotStep,
  silence: () => "",
  writeAnswer: writeCopilotAnswer,
  readPromptToAnswer,
  writePromptAnswer,
  ...readCalls(COPILOT_TOOLS),
};

function readPromptToAnswer(payload: NativePayload, place: StepPlace): Envelope | null {
  const envelope = readCopilotStep(payload, place);
  return envelope?.step === "before_prompt" ? envelope : null;
}

function writePromptAnswer(answer: PromptAnswer, { step }: Envelope): string | null {
  if (step !== "before_prompt") return null;
  return printAnswer({ handled: true, responseContent: shownOutput(answer) });
}
