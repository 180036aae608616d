// How Codex CLI 0.166 is told a decision. One key it does not know, one it does not support at the event, or a
// deny without a reason voids the whole answer, and the tool runs.
import type { Decision } from "../../decision.ts";
import type { Envelope } from "../../envelope.ts";
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
import { feedbackOf, settleTool, toldPermission } from "../settle-decision.ts";
import { CODEX_ABILITIES } from "./abilities.ts";

export const writeCodexAnswer = answerWith(CODEX_ABILITIES, say);

function say(telling: Telling): Said {
  const { decision, envelope, notes } = telling;
  const { event } = telling.ability;
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(telling);
    case "before_permission":
      return { fields: specificOf(event, { decision: toldPermission(decision) }), notes };
    case "after_tool":
      return { fields: afterTool(decision, event), notes };
    case "before_prompt":
      return { fields: { ...refuse(decision), ...contextFields(decision, event) }, notes };
    case "before_turn_end":
    case "subagent_end":
      return sayTurnEnd(telling);
    case "session_start":
      return { fields: { ...refuse(decision, stop), ...contextFields(decision, event) }, notes };
    case "before_compact":
      return { fields: refuse(decision, stop), notes };
    case "subagent_start":
      return sayStart(telling, event);
    default:
      return { fields: {}, notes };
  }
}

/** The start of a session and a compaction know no `decision`, only whether to go on. */
const stop = (stopReason: string): AnswerFields => ({ continue: false, stopReason });

/** A block replaces the output by its reason, so that is how another output is given; feedback is context. */
function afterTool(decision: Decision, event: string): AnswerFields {
  const { output } = decision;
  return {
    ...(output === null ? {} : block(output.trim() === "" ? "(no output)" : output)),
    ...specificOf(event, { additionalContext: feedbackOf(decision) }),
  };
}

/** `allow` is known only together with the new arguments, and they only together with it. */
function sayBeforeTool({ decision, envelope, ability }: Telling): Said {
  const isRewrite = decision.args !== null;
  const settled = settleTool(decision, envelope, { ability, canAllow: isRewrite });
  const { outcome, reason, args, context, notes } = settled;
  const permissionDecision = outcome === "deny" ? "deny" : args === null ? undefined : "allow";
  const specific = {
    permissionDecision,
    permissionDecisionReason: (permissionDecision && reason) || undefined,
    updatedInput: args ?? undefined,
    additionalContext: context,
  };
  const implied = args !== null && outcome === "pass" ? [impliedNote(envelope)] : [];
  return { fields: specificOf(ability.event, specific), notes: [...notes, ...implied] };
}

const impliedNote = ({ agent, step }: Envelope): string =>
  `${agent} takes a rewrite of \`args\` at \`${step}\` only with \`permission: allow\``;
