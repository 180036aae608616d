// How Claude Code 2.1.325 is told a decision. `hookSpecificOutput` without its event's name, or with a wrong one,
// voids the answer and the tool runs.
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
import { contextOf, leftOut, settleTool, toldPermission, toldTool } from "../settle-decision.ts";
import { CLAUDE_ABILITIES } from "./abilities.ts";
import { toolOutputFields } from "./tool-output.ts";

/** "No opinion": exactly what a hook without an opinion prints there. */
export const CLAUDE_SILENCE = "{}";

export const writeClaudeAnswer = answerWith(CLAUDE_ABILITIES, say, CLAUDE_SILENCE);

function say(telling: Telling): Said {
  const { decision, envelope, notes } = telling;
  const event = envelope.native.hook_event_name;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
    case "after_tool":
      return sayAfterTool(telling);
    case "before_permission":
      return { fields: specificOf(event, { decision: toldPermission(decision) }), notes };
    case "session_start":
    case "subagent_start":
      return sayStart(telling, event);
    case "before_prompt":
      return { fields: { ...refuse(decision), ...contextFields(decision, event) }, notes };
    // Context alone would carry the turn on, uncounted.
    case "before_turn_end":
    case "subagent_end":
    case "before_compact":
      return sayTurnEnd(telling);
    default:
      return { fields: {}, notes };
  }
}

function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const specific = {
    ...toldTool(settled),
    updatedInput: settled.args ?? undefined,
    additionalContext: settled.context,
  };
  return {
    fields: specificOf(envelope.native.hook_event_name, specific),
    notes: settled.notes,
  };
}

function sayAfterTool({ decision, envelope, notes }: Telling): Said {
  const { output } = decision;
  const replaced = output === null ? {} : toolOutputFields(envelope, output);
  const specific = { ...replaced, additionalContext: contextOf(decision) };
  return {
    fields: { ...refuse(decision), ...specificOf(envelope.native.hook_event_name, specific) },
    notes: replaced === null ? [...notes, leftOut("output", envelope)] : notes,
  };
}
