// How Claude Code 2.1.325 is told a decision. `hookSpecificOutput` without its event's name, or with a wrong one,
// voids the answer and the tool runs.
import type { Decision } from "../../decision.ts";
import type { Envelope } from "../../envelope.ts";
import type { NativeAnswer } from "../hook-agent.ts";
import { type AnswerFields, fieldsOrNothing, printAnswer } from "../print-answer.ts";
import {
  becameWarning,
  contextOf,
  isVeto,
  leftOut,
  reasonOf,
  reasonWithContext,
  settleTool,
  toldPermission,
  unhonoured,
} from "../settle-decision.ts";
import { CLAUDE_ABILITIES } from "./abilities.ts";
import { toolOutputFields } from "./tool-output.ts";

/** "No opinion": exactly what a hook without an opinion prints there. */
export const CLAUDE_SILENCE = "{}";

interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

export function writeClaudeAnswer(decision: Decision, envelope: Envelope): NativeAnswer {
  const { fields, notes } = say(decision, envelope);
  return { stdout: printAnswer(fields) || CLAUDE_SILENCE, notes };
}

function say(decision: Decision, envelope: Envelope): Said {
  switch (envelope.step) {
    case "before_tool":
      return sayBeforeTool(decision, envelope);
    case "after_tool":
      return sayAfterTool(decision, envelope);
    case "before_permission":
      return sayPermission(decision);
    case "session_start":
    case "subagent_start":
      return sayStart(decision, envelope);
    case "before_prompt":
      return {
        fields: { ...blockOf(decision, reasonOf(decision)), ...specificOf(envelope, decision) },
        notes: unhonoured(decision, envelope, ["additional_context"]),
      };
    // Context alone would carry the turn on, uncounted.
    case "before_turn_end":
    case "subagent_end":
    case "before_compact":
      return {
        fields: blockOf(decision, reasonWithContext(decision)),
        notes: isVeto(decision) ? [] : unhonoured(decision, envelope, []),
      };
    default:
      return { fields: {}, notes: unhonoured(decision, envelope, []) };
  }
}

const blockOf = (decision: Decision, reason: string): AnswerFields =>
  isVeto(decision) ? { decision: "block", reason } : {};

function specificOf({ native }: Envelope, decision: Decision, more: AnswerFields = {}) {
  const fields = fieldsOrNothing({ ...more, additionalContext: contextOf(decision) });
  return fields === undefined
    ? {}
    : { hookSpecificOutput: { hookEventName: native.hook_event_name, ...fields } };
}

function sayBeforeTool(decision: Decision, envelope: Envelope): Said {
  const ability = CLAUDE_ABILITIES.steps.before_tool;
  if (ability === undefined) return { fields: {}, notes: [] };
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const permissionDecision = settled.outcome === "pass" ? undefined : settled.outcome;
  const more = {
    permissionDecision,
    permissionDecisionReason: settled.reason ?? undefined,
    updatedInput: settled.args ?? undefined,
  };
  return { fields: specificOf(envelope, decision, more), notes: settled.notes };
}

function sayAfterTool(decision: Decision, envelope: Envelope): Said {
  const output = decision.output;
  const replaced = output === null ? null : toolOutputFields(envelope, output);
  const isLost = output !== null && replaced === null;
  return {
    fields: {
      ...blockOf(decision, reasonOf(decision)),
      ...specificOf(envelope, decision, replaced ?? {}),
    },
    notes: isLost ? [leftOut("output", envelope)] : [],
  };
}

function sayPermission(decision: Decision): Said {
  const told = toldPermission(decision);
  const hookSpecificOutput = { hookEventName: "PermissionRequest", decision: told };
  return { fields: told === undefined ? {} : { hookSpecificOutput }, notes: [] };
}

function sayStart(decision: Decision, envelope: Envelope): Said {
  const warning = isVeto(decision) ? { systemMessage: reasonOf(decision) } : {};
  return {
    fields: { ...warning, ...specificOf(envelope, decision) },
    notes: isVeto(decision) ? [becameWarning(envelope)] : [],
  };
}
