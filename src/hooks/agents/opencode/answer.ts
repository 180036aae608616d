// What our plugin is told; the keys are ours.
import type { Decision } from "../../decision.ts";
import type { Envelope } from "../../envelope.ts";
import type { NativeAnswer, StepAbility } from "../hook-agent.ts";
import { type AnswerFields, printAnswer } from "../print-answer.ts";
import {
  contextOf,
  isVeto,
  reasonOf,
  reasonWithContext,
  refusalLeftOut,
  settleTool,
  unhonoured,
} from "../settle-decision.ts";
import { OPENCODE_ABILITIES } from "./abilities.ts";

export const OPENCODE_SILENCE = "{}";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeOpencodeAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const ability = OPENCODE_ABILITIES.steps[envelope.step];
  const { fields, notes } =
    ability === undefined
      ? { fields: {}, notes: unhonoured(decision, envelope, []) }
      : say(decision, envelope, ability);
  return { stdout: printAnswer(fields) || OPENCODE_SILENCE, notes };
}

function say(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(decision, envelope, ability);
    case "before_permission":
      return { fields: permissionFields(decision), notes };
    case "before_prompt":
      return { fields: promptFields(decision), notes };
    case "after_tool":
      return {
        fields: { output: decision.output ?? undefined, context: listOf(feedbackOf(decision)) },
        notes,
      };
    case "before_turn_end":
      return isVeto(decision)
        ? { fields: { continue: reasonWithContext(decision) }, notes: [] }
        : { fields: {}, notes };
    default:
      return sayElsewhere(decision, envelope, ability);
  }
}

const listOf = (context: string | undefined) => (context === undefined ? undefined : [context]);

const feedbackOf = (decision: Decision): string | undefined =>
  isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);

function sayElsewhere(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  return {
    fields: ability.changes.length === 0 ? {} : { context: listOf(contextOf(decision)) },
    notes: [...notes, ...refusalLeftOut(decision, envelope)],
  };
}

function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  if (settled.outcome === "deny")
    return { fields: { block: settled.reason }, notes: settled.notes };
  return {
    fields: { args: settled.args ?? undefined, context: listOf(settled.context) },
    notes: settled.notes,
  };
}

function permissionFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return { permission: "deny" };
  return { permission: decision.permission ?? undefined };
}

function promptFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return { block: reasonOf(decision) };
  return { prompt: decision.prompt ?? undefined, context: listOf(contextOf(decision)) };
}
