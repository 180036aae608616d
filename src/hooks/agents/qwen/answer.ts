// How Qwen Code 0.24 is told a decision. There a sibling's `allow` beats everybody's deny; only `continue: false`
// with its reason holds, and the agent still goes on to its next turn.
import type { Decision } from "../../decision.ts";
import type { Envelope } from "../../envelope.ts";
import type { NativeAnswer, StepAbility } from "../hook-agent.ts";
import { type AnswerFields, fieldsOrNothing, printAnswer } from "../print-answer.ts";
import {
  becameWarning,
  contextOf,
  isVeto,
  reasonOf,
  reasonWithContext,
  refusalLeftOut,
  settleTool,
  toldPermission,
  unhonoured,
} from "../settle-decision.ts";
import { QWEN_ABILITIES } from "./abilities.ts";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeQwenAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const ability = QWEN_ABILITIES.steps[envelope.step];
  if (ability === undefined) return { stdout: "", notes: unhonoured(decision, envelope, []) };
  const { fields, notes } = say(decision, envelope, ability);
  return { stdout: printAnswer(fields), notes };
}

function say(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(decision, envelope, ability);
    case "before_permission":
      return { fields: permissionFields(decision), notes };
    case "before_prompt":
      return {
        fields: {
          ...blockOf(decision, reasonOf(decision)),
          ...specificOf(envelope, { additionalContext: contextOf(decision) }),
        },
        notes,
      };
    case "after_tool":
      return { fields: specificOf(envelope, { additionalContext: feedbackOf(decision) }), notes };
    case "before_turn_end":
    case "subagent_end":
      return sayTurnEnd(decision, notes);
    case "session_start":
    case "subagent_start":
      return sayStart(decision, envelope);
    default:
      return { fields: {}, notes: [...notes, ...refusalLeftOut(decision, envelope)] };
  }
}

const blockOf = (decision: Decision, reason: string): AnswerFields =>
  isVeto(decision) ? { decision: "block", reason, continue: false, stopReason: reason } : {};

function specificOf({ native }: Envelope, fields: AnswerFields): AnswerFields {
  const given = fieldsOrNothing(fields);
  if (given === undefined) return {};
  return { hookSpecificOutput: { hookEventName: native.hook_event_name, ...given } };
}

/** Never `allow`: it would undo what other hooks forbid. An `ask` must hold against theirs as well. */
function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const { outcome, context, notes } = settled;
  if (outcome !== "deny" && outcome !== "ask")
    return { fields: specificOf(envelope, { additionalContext: context }), notes };
  const reason = settled.reason ?? "needs a person's approval";
  const specific = {
    permissionDecision: outcome,
    permissionDecisionReason: reason,
    additionalContext: context,
  };
  return {
    fields: { continue: false, stopReason: reason, ...specificOf(envelope, specific) },
    notes,
  };
}

/** A block after the fact is not read; context reaches the model. */
function feedbackOf(decision: Decision): string | undefined {
  return isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);
}

/** Here `continue: false` would not end the turn but say the same in other words. */
function sayTurnEnd(decision: Decision, notes: readonly string[]): Said {
  if (!isVeto(decision)) return { fields: {}, notes };
  return { fields: { decision: "block", reason: reasonWithContext(decision) }, notes: [] };
}

function permissionFields(decision: Decision): AnswerFields {
  const told = toldPermission(decision);
  if (told === undefined) return {};
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: told } };
}

function sayStart(decision: Decision, envelope: Envelope): Said {
  const fields = specificOf(envelope, { additionalContext: contextOf(decision) });
  if (!isVeto(decision)) return { fields, notes: [] };
  return {
    fields: { systemMessage: reasonOf(decision), ...fields },
    notes: [becameWarning(envelope)],
  };
}
