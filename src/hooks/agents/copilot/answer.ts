// How Copilot CLI 1.0.102 is told a decision: flat, but before a tool in `hookSpecificOutput` under Claude Code's
// event names, where the flat form of a rewrite is ignored; elsewhere that form is ignored under both.
import type { Decision } from "../../decision.ts";
import type { Envelope } from "../../envelope.ts";
import type { NativeAnswer, StepAbility } from "../hook-agent.ts";
import { type AnswerFields, fieldsOrNothing, printAnswer } from "../print-answer.ts";
import {
  contextOf,
  isVeto,
  reasonOf,
  reasonWithContext,
  refusalLeftOut,
  settleTool,
  toldPermission,
  unhonoured,
} from "../settle-decision.ts";
import { COPILOT_ABILITIES } from "./abilities.ts";
import { isPascal } from "./read-step.ts";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeCopilotAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const ability = COPILOT_ABILITIES.steps[envelope.step];
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
      return { fields: toldPermission(decision) ?? {}, notes };
    case "before_prompt":
      return { fields: promptFields(decision), notes };
    case "after_tool":
      return sayAfterTool(decision, envelope);
    case "before_turn_end":
    case "subagent_end":
      return isVeto(decision)
        ? { fields: { decision: "block", reason: reasonWithContext(decision) }, notes: [] }
        : { fields: {}, notes };
    default:
      return sayElsewhere(decision, envelope, ability);
  }
}

function sayElsewhere(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  return {
    fields: ability.changes.length === 0 ? {} : { additionalContext: contextOf(decision) },
    notes: [...notes, ...refusalLeftOut(decision, envelope)],
  };
}

function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const args = settled.args ?? undefined;
  const { notes, context: additionalContext } = settled;
  const told = {
    permissionDecision: settled.outcome === "pass" ? undefined : settled.outcome,
    permissionDecisionReason: settled.reason ?? undefined,
  };
  if (!isPascal(envelope))
    return { fields: { ...told, modifiedArgs: args, additionalContext }, notes };
  const specific = fieldsOrNothing({ ...told, updatedInput: args, additionalContext });
  if (specific === undefined) return { fields: {}, notes };
  return { fields: { hookSpecificOutput: { hookEventName: "PreToolUse", ...specific } }, notes };
}

function promptFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return { decision: "block", reason: reasonOf(decision) };
  return {
    modifiedPrompt: decision.prompt ?? undefined,
    additionalContext: contextOf(decision),
  };
}

/** Feedback is context here; a block after the fact is not known. A call that failed has no result to replace. */
function sayAfterTool(decision: Decision, envelope: Envelope): Said {
  const { native, is_error } = envelope;
  const hasResult = ["toolResult", "tool_result", "tool_response"].some((key) => key in native);
  const additionalContext = isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);
  const modifiedResult =
    decision.output === null || !hasResult
      ? undefined
      : {
          resultType: is_error === true ? "failure" : "success",
          textResultForLlm: decision.output,
        };
  const can = hasResult ? ["additional_context", "output"] : ["additional_context"];
  return {
    fields: { modifiedResult, additionalContext },
    notes: unhonoured(decision, envelope, can),
  };
}
