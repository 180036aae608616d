// How Copilot CLI 1.0.102 is told a decision: flat, but before a tool in `hookSpecificOutput` under Claude Code's
// event names, where the flat form of a rewrite is ignored; elsewhere that form is ignored under both.
import type { Decision } from "../../decision.ts";
import type { AnswerFields } from "../print-answer.ts";
import {
  answerWith,
  refuse,
  type Said,
  sayTurnEnd,
  specificOf,
  type Telling,
} from "../say-answer.ts";
import {
  contextOf,
  feedbackOf,
  isVeto,
  refusalLeftOut,
  settleTool,
  toldPermission,
  toldTool,
  unhonoured,
} from "../settle-decision.ts";
import { COPILOT_ABILITIES } from "./abilities.ts";
import { isPascal } from "./read-step.ts";

export const writeCopilotAnswer = answerWith(COPILOT_ABILITIES, say);

function say(telling: Telling): Said {
  const { decision, envelope, ability, notes } = telling;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
    case "before_permission":
      return { fields: toldPermission(decision) ?? {}, notes };
    case "before_prompt":
      return { fields: promptFields(decision), notes };
    case "after_tool":
      return sayAfterTool(telling);
    case "before_turn_end":
    case "subagent_end":
      return sayTurnEnd(telling);
    default:
      return {
        fields: ability.changes.length === 0 ? {} : { additionalContext: contextOf(decision) },
        notes: [...notes, ...refusalLeftOut(decision, envelope)],
      };
  }
}

function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const { notes, context: additionalContext } = settled;
  const told = toldTool(settled);
  const args = settled.args ?? undefined;
  const fields = isPascal(envelope)
    ? specificOf("PreToolUse", { ...told, updatedInput: args, additionalContext })
    : { ...told, modifiedArgs: args, additionalContext };
  return { fields, notes };
}

function promptFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return refuse(decision);
  return {
    modifiedPrompt: decision.prompt ?? undefined,
    additionalContext: contextOf(decision),
  };
}

/** Feedback is context here; a block after the fact is not known. A call that failed has no result to replace. */
function sayAfterTool({ decision, envelope }: Telling): Said {
  const { native, is_error } = envelope;
  const keys = isPascal(envelope) ? ["tool_result", "tool_response"] : ["toolResult"];
  const hasResult = keys.some((key) => key in native);
  const modifiedResult =
    decision.output === null || !hasResult
      ? undefined
      : {
          resultType: is_error === true ? "failure" : "success",
          textResultForLlm: decision.output,
        };
  const can = hasResult ? ["additional_context", "output"] : ["additional_context"];
  return {
    fields: { modifiedResult, additionalContext: feedbackOf(decision) },
    notes: unhonoured(decision, envelope, can),
  };
}
