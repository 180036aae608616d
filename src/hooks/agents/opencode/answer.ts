// What our plugin is told; the keys are ours.
import type { Decision } from "../../decision.ts";
import type { AnswerFields } from "../print-answer.ts";
import { answerWith, type Said, sayTurnEnd, type Telling } from "../say-answer.ts";
import {
  contextOf,
  feedbackOf,
  isVeto,
  reasonOf,
  refusalLeftOut,
  settleTool,
} from "../settle-decision.ts";
import { OPENCODE_ABILITIES } from "./abilities.ts";

export const OPENCODE_SILENCE = "{}";

export const writeOpencodeAnswer = answerWith(OPENCODE_ABILITIES, say, OPENCODE_SILENCE);

function say(telling: Telling): Said {
  const { decision, envelope, ability, notes } = telling;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
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
      return sayTurnEnd(telling, (reason) => ({ continue: reason }));
    default:
      return {
        fields: ability.changes.length === 0 ? {} : { context: listOf(contextOf(decision)) },
        notes: [...notes, ...refusalLeftOut(decision, envelope)],
      };
  }
}

const listOf = (context: string | undefined) => (context === undefined ? undefined : [context]);

function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const { outcome, reason, args, context, notes } = settled;
  if (outcome === "deny") return { fields: { block: reason }, notes };
  return { fields: { args: args ?? undefined, context: listOf(context) }, notes };
}

function permissionFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return { permission: "deny" };
  return { permission: decision.permission ?? undefined };
}

function promptFields(decision: Decision): AnswerFields {
  if (isVeto(decision)) return { block: reasonOf(decision) };
  return { prompt: decision.prompt ?? undefined, context: listOf(contextOf(decision)) };
}
