// How Qwen Code 0.24 is told a decision. There a sibling's `allow` beats everybody's deny; only `continue: false`
// with its reason holds, and the agent still goes on to its next turn.
import type { AnswerFields } from "../print-answer.ts";
import {
  answerWith,
  block,
  contextFields,
  refuse,
  type Said,
  sayStart,
  sayTurnEnd,
  specificOf,
  type Telling,
} from "../say-answer.ts";
import { feedbackOf, refusalLeftOut, settleTool, toldPermission } from "../settle-decision.ts";
import { QWEN_ABILITIES } from "./abilities.ts";

export const writeQwenAnswer = answerWith(QWEN_ABILITIES, say);

function say(telling: Telling): Said {
  const { decision, envelope, notes } = telling;
  const event = envelope.native.hook_event_name;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
    case "before_permission":
      return { fields: specificOf(event, { decision: toldPermission(decision) }), notes };
    case "before_prompt":
      return { fields: { ...refuse(decision, hold), ...contextFields(decision, event) }, notes };
    // A block after the fact is not read; context reaches the model.
    case "after_tool":
      return { fields: specificOf(event, { additionalContext: feedbackOf(decision) }), notes };
    // Here `continue: false` would not end the turn but say the same in other words.
    case "before_turn_end":
    case "subagent_end":
      return sayTurnEnd(telling);
    case "session_start":
    case "subagent_start":
      return sayStart(telling, event);
    default:
      return { fields: {}, notes: [...notes, ...refusalLeftOut(decision, envelope)] };
  }
}

const stop = (stopReason: string): AnswerFields => ({ continue: false, stopReason });

const hold = (reason: string): AnswerFields => ({ ...block(reason), ...stop(reason) });

/** Never `allow`: it would undo what other hooks forbid. An `ask` must hold against theirs as well. */
function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
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
  return { fields: { ...stop(reason), ...specificOf(event, specific) }, notes };
}
