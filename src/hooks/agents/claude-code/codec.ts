import { asName } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import type { HookAgent, PromptAnswer, StepPlace } from "../hook-agent.ts";
import { printAnswer, shownOutput } from "../print-answer.ts";
import { readSnakeStep } from "../snake-steps.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { readCalls } from "../tool-table.ts";
import { CLAUDE_ABILITIES, CLAUDE_EVENTS } from "./abilities.ts";
import { CLAUDE_SILENCE, writeClaudeAnswer } from "./answer.ts";
import { readClaudeResult } from "./tool-output.ts";
import { CLAUDE_TOOLS } from "./tools.ts";

const DIALECT = {
  events: stepsByEvent(CLAUDE_EVENTS),
  table: CLAUDE_TOOLS,
  readResult: readClaudeResult,
};

export const claudeCodeHooks: HookAgent = {
  name: "claude-code",
  abilities: CLAUDE_ABILITIES,
  readStep,
  silence: () => CLAUDE_SILENCE,
  writeAnswer: writeClaudeAnswer,
  readPromptToAnswer,
  writePromptAnswer,
  ...readCalls(CLAUDE_TOOLS),
};

function readStep(payload: NativePayload, place: StepPlace): Envelope | null {
  const version = versionOf(asName(place.env.AI_AGENT));
  return readSnakeStep({ agent: "claude-code", version, payload, place }, DIALECT);
}

/** `claude-code_2-1-325_harness` */
const versionOf = (text: string | null): string | null =>
  /^claude-code_(\d+(?:-\d+)+)/.exec(text ?? "")?.[1]?.replaceAll("-", ".") ?? null;

function readPromptToAnswer(payload: NativePayload, place: StepPlace): Envelope | null {
  return payload.hook_event_name === "UserPromptSubmit" ? readStep(payload, place) : null;
}

/** A blocked prompt shows its reason and makes no model call; without the echo of the prompt it is an answer. */
function writePromptAnswer(answer: PromptAnswer, { native }: Envelope): string | null {
  if (native.hook_event_name !== "UserPromptSubmit") return null;
  return printAnswer({
    decision: "block",
    reason: shownOutput(answer),
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
  });
}
