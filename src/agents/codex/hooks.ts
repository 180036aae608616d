// The hooks of Codex CLI 0.166: what it honours, how its payloads are read, how it is told a decision. The schemas of
// its answers are in its program.

import { asRecord } from "../../core/project/json-value.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { asFlag, asText } from "../log/json-fields.ts";
import {
  askingStepAbility,
  CALL_CHANGES,
  eventsOf,
  type HookAbilities,
  type HookAgent,
  type StepContext,
  stepAbility,
  stepsByEvent,
} from "../steps/hook-agent.ts";
import { outputText, readSnakeStep } from "../steps/read-step.ts";
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
  makeHookAgent,
  refusalFields,
  type StepAnswers,
  specificOf,
  stopFields,
} from "../steps/write-answer.ts";
import { CODEX_TOOLS } from "./tools.ts";

export const CODEX_ABILITIES: HookAbilities = {
  showsSystemMessage: true,
  steps: {
    session_start: stepAbility("SessionStart", "blocks", ["additional_context"]),
    before_prompt: stepAbility("UserPromptSubmit", "blocks", ["additional_context"]),
    before_tool: stepAbility("PreToolUse", "blocks", CALL_CHANGES),
    after_tool: stepAbility("PostToolUse", "feedback", ["additional_context", "output"]),
    before_permission: askingStepAbility("PermissionRequest", ["permission"]),
    before_turn_end: stepAbility("Stop", "continues"),
    before_compact: stepAbility("PreCompact", "blocks"),
    after_compact: stepAbility("PostCompact"),
    subagent_start: stepAbility("SubagentStart", "warns", ["additional_context"]),
    subagent_end: stepAbility("SubagentStop", "continues"),
    session_end: stepAbility("SessionEnd"),
  },
  rewriteAllows: true,
  shims: "none",
  // A blocked prompt makes no model call, but 0.166 shows its reason nowhere.
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: 60_000,
  maxHookLimitMs: 900_000,
};

export const CODEX_EVENTS = eventsOf(CODEX_ABILITIES);

// How Codex CLI 0.166 is told a decision. One key it does not know, one it does not support at the event, or a
// deny without a reason voids the whole answer, and the tool runs.

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  before_permission: draftPermission,
  after_tool: ({ decision, ability, notes }) => ({
    fields: afterTool(decision, ability.event),
    notes,
  }),
  before_prompt: draftRefusal(),
  before_turn_end: draftTurnEnd(),
  subagent_end: draftTurnEnd(),
  session_start: draftRefusal(stopFields),
  // It takes no context here.
  before_compact: ({ decision, notes }) => ({ fields: refusalFields(decision, stopFields), notes }),
  subagent_start: draftStart,
};

/** A block replaces the output by its reason, so that is how another output is given; feedback is context. */
function afterTool(decision: StepDecision, event: string): AnswerFields {
  const { output } = decision;
  return {
    ...(output === null ? {} : blockFields(output.trim() === "" ? "(no output)" : output)),
    ...specificOf(event, { additionalContext: feedbackOf(decision) }),
  };
}

/** `allow` is known only together with the new arguments, and they only together with it. */
function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const isRewrite = decision.args !== null;
  const settled = settleTool(decision, envelope, { ability, canAllow: isRewrite });
  const { outcome, reason, args, context, notes } = settled;
  const permissionDecision = outcome === "deny" ? "deny" : args === null ? undefined : "allow";
  const specific = {
    permissionDecision,
    permissionDecisionReason: (permissionDecision && reason) || undefined,
    updatedInput: args ?? undefined,
    additionalContext: context,
  };
  const implied = args !== null && outcome === "pass" ? [impliedNote(envelope)] : [];
  return { fields: specificOf(ability.event, specific), notes: [...notes, ...implied] };
}

const impliedNote = ({ agent, step }: Envelope): string =>
  `${agent} takes a rewrite of \`args\` at \`${step}\` only with \`permission: allow\``;

const DIALECT = {
  events: stepsByEvent(CODEX_EVENTS),
  table: CODEX_TOOLS,
  readResult,
};

export const codexHooks: HookAgent = makeHookAgent({
  name: "codex",
  abilities: CODEX_ABILITIES,
  readStep: (payload: NativePayload, context: StepContext): Envelope | null =>
    readSnakeStep({ agent: "codex", payload, context }, DIALECT),
  answers: ANSWERS,
  tools: CODEX_TOOLS,
});

/** A shell's result is the bare text, without its exit code; an MCP server's says whether it failed. */
function readResult({ tool_response }: NativePayload) {
  const isError = asFlag(asRecord(tool_response).isError);
  return {
    output: asText(tool_response) ?? outputText(tool_response),
    ...(isError === null ? {} : { is_error: isError }),
  };
}
