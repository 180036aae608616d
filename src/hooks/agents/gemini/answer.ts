// How Gemini CLI 0.61 is told a decision. Its own keys, not Claude Code's: `permissionDecision` is ignored there.
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
  unhonoured,
} from "../settle-decision.ts";
import { GEMINI_ABILITIES } from "./abilities.ts";

/** With an empty stdout it would take whatever is on stderr for the answer. */
export const GEMINI_SILENCE = "{}";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeGeminiAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const ability = GEMINI_ABILITIES.steps[envelope.step];
  const { fields, notes } =
    ability === undefined
      ? { fields: {}, notes: unhonoured(decision, envelope, []) }
      : say(decision, envelope, ability);
  return { stdout: printAnswer(fields) || GEMINI_SILENCE, notes };
}

function say(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(decision, envelope, ability);
    case "after_tool":
      return { fields: afterTool(decision, ability), notes };
    case "before_prompt":
      return {
        fields: { ...denyOf(decision, reasonOf(decision)), ...contextFields(decision, ability) },
        notes,
      };
    case "before_turn_end":
      return {
        fields: denyOf(decision, reasonWithContext(decision)),
        notes: isVeto(decision) ? [] : notes,
      };
    case "session_start":
      return sayStart(decision, envelope, ability);
    default:
      return { fields: {}, notes: [...notes, ...refusalLeftOut(decision, envelope)] };
  }
}

const denyOf = (decision: Decision, reason: string): AnswerFields =>
  isVeto(decision) ? { decision: "deny", reason } : {};

function specificOf({ event }: StepAbility, fields: AnswerFields): AnswerFields {
  const given = fieldsOrNothing(fields);
  return given === undefined ? {} : { hookSpecificOutput: { hookEventName: event, ...given } };
}

const contextFields = (decision: Decision, ability: StepAbility): AnswerFields =>
  specificOf(ability, { additionalContext: contextOf(decision) });

/** Nothing here grants a permission, so `allow` is not said. */
function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const deny = settled.outcome === "deny" ? { decision: "deny", reason: settled.reason } : {};
  const rewrite = specificOf(ability, { tool_input: settled.args ?? undefined });
  return { fields: { ...deny, ...rewrite }, notes: settled.notes };
}

/** A denied result is replaced by the reason, which is the one way to another output; feedback only adds. */
function afterTool(decision: Decision, ability: StepAbility): AnswerFields {
  const feedback = isVeto(decision) ? reasonOf(decision) : undefined;
  const added = [feedback, contextOf(decision)].filter((text) => text !== undefined).join("\n\n");
  if (decision.output === null)
    return specificOf(ability, { additionalContext: added === "" ? undefined : added });
  const shown = `the output was replaced by a hook:\n${decision.output}`;
  return { decision: "deny", reason: added === "" ? shown : `${shown}\n\n${added}` };
}

function sayStart(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const fields = contextFields(decision, ability);
  if (!isVeto(decision)) return { fields, notes: [] };
  return {
    fields: { systemMessage: reasonOf(decision), ...fields },
    notes: [becameWarning(envelope)],
  };
}
