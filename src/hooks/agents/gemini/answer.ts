// How Gemini CLI 0.61 is told a decision. Its own keys, not Claude Code's: `permissionDecision` is ignored there.
import type { Decision } from "../../decision.ts";
import type { AnswerFields } from "../print-answer.ts";
import {
  answerWith,
  contextFields,
  refuse,
  type Said,
  sayStart,
  sayTurnEnd,
  specificOf,
  type Telling,
} from "../say-answer.ts";
import { feedbackOf, refusalLeftOut, settleTool } from "../settle-decision.ts";
import { GEMINI_ABILITIES } from "./abilities.ts";

/** With an empty stdout it would take whatever is on stderr for the answer. */
export const GEMINI_SILENCE = "{}";

export const writeGeminiAnswer = answerWith(GEMINI_ABILITIES, say, GEMINI_SILENCE);

function say(telling: Telling): Said {
  const { decision, envelope, notes } = telling;
  const { event } = telling.ability;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
    case "after_tool":
      return { fields: afterTool(decision, event), notes };
    case "before_prompt":
      return { fields: { ...refuse(decision, deny), ...contextFields(decision, event) }, notes };
    case "before_turn_end":
      return sayTurnEnd(telling, deny);
    case "session_start":
      return sayStart(telling, event);
    default:
      return { fields: {}, notes: [...notes, ...refusalLeftOut(decision, envelope)] };
  }
}

const deny = (reason: string): AnswerFields => ({ decision: "deny", reason });

/** Nothing here grants a permission, so `allow` is not said. */
function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const denied = settled.outcome === "deny" ? { decision: "deny", reason: settled.reason } : {};
  const rewrite = specificOf(ability.event, { tool_input: settled.args ?? undefined });
  return { fields: { ...denied, ...rewrite }, notes: settled.notes };
}

/** A denied result is replaced by the reason, which is the one way to another output; feedback only adds. */
function afterTool(decision: Decision, event: string): AnswerFields {
  const added = feedbackOf(decision);
  if (decision.output === null) return specificOf(event, { additionalContext: added });
  const shown = `the output was replaced by a hook:\n${decision.output}`;
  return deny(added === undefined ? shown : `${shown}\n\n${added}`);
}
