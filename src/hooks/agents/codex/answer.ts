// How Codex CLI 0.166 is told a decision. One key it does not know, one it does not support at the event, or a
// deny without a reason voids the whole answer, and the tool runs.
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
  settleTool,
  toldPermission,
  unhonoured,
} from "../settle-decision.ts";
import { CODEX_ABILITIES } from "./abilities.ts";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeCodexAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const ability = CODEX_ABILITIES.steps[envelope.step];
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
      return { fields: permissionFields(decision), notes };
    case "after_tool":
      return { fields: afterTool(decision, ability), notes };
    case "before_prompt":
      return {
        fields: {
          ...blockOf(decision, reasonOf(decision)),
          ...specificOf(ability, contextOf(decision)),
        },
        notes,
      };
    case "before_turn_end":
    case "subagent_end":
      return {
        fields: blockOf(decision, reasonWithContext(decision)),
        notes: isVeto(decision) ? [] : notes,
      };
    default:
      return sayElsewhere(decision, envelope, ability);
  }
}

/** A block replaces the output by its reason, so that is how another output is given; feedback is context. */
function afterTool(decision: Decision, ability: StepAbility): AnswerFields {
  const feedback = isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);
  const { output } = decision;
  const block =
    output === null
      ? {}
      : { decision: "block", reason: output.trim() === "" ? "(no output)" : output };
  return { ...block, ...specificOf(ability, feedback) };
}

/** Starts and compactions know no `decision`, only whether to go on. */
function sayElsewhere(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const notes = unhonoured(decision, envelope, ability.changes);
  const context = ability.changes.includes("additional_context") ? contextOf(decision) : undefined;
  const specific = specificOf(ability, context);
  if (!isVeto(decision) || ability.veto === "none") return { fields: specific, notes };
  const reason = reasonOf(decision);
  if (ability.veto === "blocks")
    return { fields: { continue: false, stopReason: reason, ...specific }, notes };
  return {
    fields: { systemMessage: reason, ...specific },
    notes: [...notes, becameWarning(envelope)],
  };
}

function specificOf({ event }: StepAbility, context: string | undefined, more: AnswerFields = {}) {
  const fields = fieldsOrNothing({ ...more, additionalContext: context });
  return fields === undefined ? {} : { hookSpecificOutput: { hookEventName: event, ...fields } };
}

const blockOf = (decision: Decision, reason: string): AnswerFields =>
  isVeto(decision) ? { decision: "block", reason } : {};

/** `allow` is known only together with the new arguments, and they only together with it. */
function sayBeforeTool(decision: Decision, envelope: Envelope, ability: StepAbility): Said {
  const isRewrite = decision.args !== null;
  const settled = settleTool(decision, envelope, { ability, canAllow: isRewrite });
  const { outcome, reason, args, context, notes } = settled;
  const permissionDecision = outcome === "deny" ? "deny" : args === null ? undefined : "allow";
  const more = {
    permissionDecision,
    permissionDecisionReason: (permissionDecision && reason) || undefined,
    updatedInput: args ?? undefined,
  };
  const implied = args !== null && outcome === "pass" ? [impliedNote(envelope)] : [];
  return { fields: specificOf(ability, context, more), notes: [...notes, ...implied] };
}

const impliedNote = ({ agent, step }: Envelope): string =>
  `${agent} takes a rewrite of \`args\` at \`${step}\` only with \`permission: allow\``;

function permissionFields(decision: Decision): AnswerFields {
  const told = toldPermission(decision);
  if (told === undefined) return {};
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: told } };
}
