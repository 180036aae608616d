// The hooks of Qwen Code 0.24: what it honours, how its payloads are read, how it is told a decision. It cannot
// rewrite arguments before a tool.

import { asRecord } from "../../core/project/json-value.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import { asName } from "../log/json-fields.ts";
import {
  askingStepAbility,
  eventsOf,
  type HookAbilities,
  type HookAgent,
  type StepContext,
  stepAbility,
  stepsByEvent,
} from "../steps/hook-agent.ts";
import { outputText, partsText, readSnakeStep } from "../steps/read-step.ts";
import { feedbackOf, settleTool } from "../steps/settle-decision.ts";
import {
  type AnswerDraft,
  type AnswerFields,
  type AnswerInput,
  blockFields,
  draftPermission,
  draftRefusal,
  draftStart,
  draftTurnEnd,
  draftUnrefusable,
  makeHookAgent,
  type StepAnswers,
  specificOf,
  stopFields,
} from "../steps/write-answer.ts";
import { QWEN_TOOLS } from "./tools.ts";

export const QWEN_ABILITIES: HookAbilities = {
  showsSystemMessage: true,
  steps: {
    session_start: stepAbility("SessionStart", "warns", ["additional_context"]),
    before_prompt: stepAbility("UserPromptSubmit", "blocks", ["additional_context"]),
    // Context is read here and then never used.
    before_tool: askingStepAbility("PreToolUse", ["result", "permission"]),
    after_tool: stepAbility("PostToolUse", "feedback", ["additional_context"]),
    before_permission: askingStepAbility("PermissionRequest", ["permission"]),
    before_turn_end: stepAbility("Stop", "continues"),
    before_compact: stepAbility("PreCompact"),
    after_compact: stepAbility("PostCompact"),
    subagent_start: stepAbility("SubagentStart", "warns", ["additional_context"]),
    subagent_end: stepAbility("SubagentStop", "continues"),
    notification: stepAbility("Notification"),
    session_end: stepAbility("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "none",
  promptAnswer: "none",
  projectVariables: ["QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  // Seen with 0.24.4 and limits of 300 s and 900 s.
  opensAfterMs: 60_000,
};

export const QWEN_EVENTS = eventsOf(QWEN_ABILITIES, { after_tool: "PostToolUseFailure" });

// How Qwen Code 0.24 is told a decision. There a sibling's `allow` beats everybody's deny; only `continue: false`
// with its reason holds, and the agent still goes on to its next turn.

const hold = (reason: string): AnswerFields => ({ ...blockFields(reason), ...stopFields(reason) });

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  before_permission: draftPermission,
  before_prompt: draftRefusal(hold),
  // A block after the fact is not read; context reaches the model.
  after_tool: ({ decision, envelope, notes }) => ({
    fields: specificOf(envelope.native.hook_event_name, {
      additionalContext: feedbackOf(decision),
    }),
    notes,
  }),
  // Here `continue: false` would not end the turn but say the same in other words.
  before_turn_end: draftTurnEnd(),
  subagent_end: draftTurnEnd(),
  session_start: draftStart,
  subagent_start: draftStart,
};

/** Never `allow`: it would undo what other hooks forbid. An `ask` must hold against theirs as well. */
function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const { outcome, context, notes } = settled;
  const event = envelope.native.hook_event_name;
  if (outcome !== "deny" && outcome !== "ask")
    return { fields: specificOf(event, { additionalContext: context }), notes };
  const reason = settled.reason ?? "needs a person's approval";
  const specific = {
    permissionDecision: outcome,
    permissionDecisionReason: reason,
    additionalContext: context,
  };
  return { fields: { ...stopFields(reason), ...specificOf(event, specific) }, notes };
}

const DIALECT = {
  events: stepsByEvent(QWEN_EVENTS),
  table: QWEN_TOOLS,
  readResult,
};

export const qwenHooks: HookAgent = makeHookAgent({
  name: "qwen",
  abilities: QWEN_ABILITIES,
  readStep,
  answers: ANSWERS,
  otherAnswer: draftUnrefusable(),
  tools: QWEN_TOOLS,
});

function readStep(payload: NativePayload, context: StepContext): Envelope | null {
  if (isContinuation(payload)) return null;
  const version = asName(context.env.QWEN_CODE_STARTUP_VERSION);
  return readSnakeStep({ agent: "qwen", version, payload, context }, DIALECT);
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
