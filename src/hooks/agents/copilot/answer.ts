// How Copilot CLI 1.0.102 is told a decision: flat under its own event names, in `hookSpecificOutput` under Claude
// Code's; each ignores the other's rewrite.
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
      return { fields: promptFields(decision, envelope), notes };
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
    fields: ability.changes.length === 0 ? {} : contextFields(envelope, contextOf(decision)),
    notes: [...notes, ...refusalLeftOut(decision, envelope)],
  };
}

function contextFields(envelope: Envelope, context: string | undefined, more: AnswerFields = {}) {
  const fields = fieldsOrNothing({ ...more, additionalContext: context });
  if (fields === undefined) return {};
  if (!isPascal(envelope)) return fields;
  return { hookSpecificOutput: { hookEventName: envelope.native.hook_event_name, ...fields } };
}

function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const args = settled.args ?? undefined;
  const more = {
    permissionDecision: settled.outcome === "pass" ? undefined : settled.outcome,
    permissionDecisionReason: settled.reason ?? undefined,
    ...(isPascal(envelope) ? { updatedInput: args } : { modifiedArgs: args }),
  };
  return { fields: contextFields(envelope, settled.context, more), notes: settled.notes };
}

function promptFields(decision: Decision, envelope: Envelope): AnswerFields {
  if (isVeto(decision)) return { decision: "block", reason: reasonOf(decision) };
  return {
    modifiedPrompt: decision.prompt ?? undefined,
    ...contextFields(envelope, contextOf(decision)),
  };
}

/** Feedback is context here; a block after the fact is not known. A call that failed has no result to replace. */
function sayAfterTool(decision: Decision, envelope: Envelope): Said {
  const { native, is_error } = envelope;
  const hasResult = ["toolResult", "tool_result", "tool_response"].some((key) => key in native);
  const added = isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);
  const modifiedResult =
    decision.output === null || !hasResult
      ? undefined
      : {
          resultType: is_error === true ? "failure" : "success",
          textResultForLlm: decision.output,
        };
  const can = hasResult ? ["additional_context", "output"] : ["additional_context"];
  return {
    fields: { modifiedResult, ...contextFields(envelope, added) },
    notes: unhonoured(decision, envelope, can),
  };
}
