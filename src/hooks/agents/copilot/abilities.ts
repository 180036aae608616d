// What Copilot CLI 1.0.102 honours.
import type { HookAbilities } from "../hook-agent.ts";

const NOTHING = { veto: "none", changes: [], canAsk: false } as const;

export const COPILOT_ABILITIES: HookAbilities = {
  steps: {
    session_start: {
      event: "sessionStart",
      veto: "none",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_prompt: {
      event: "userPromptSubmitted",
      veto: "blocks",
      changes: ["prompt", "additional_context"],
      canAsk: false,
    },
    before_tool: {
      event: "preToolUse",
      veto: "blocks",
      changes: ["args", "result", "permission", "additional_context"],
      canAsk: true,
    },
    after_tool: {
      event: "postToolUse",
      veto: "feedback",
      changes: ["additional_context", "output"],
      canAsk: false,
    },
    before_permission: {
      event: "permissionRequest",
      veto: "blocks",
      changes: ["permission"],
      canAsk: true,
    },
    before_turn_end: { event: "agentStop", veto: "continues", changes: [], canAsk: false },
    before_compact: { event: "preCompact", ...NOTHING },
    subagent_start: {
      event: "subagentStart",
      veto: "none",
      changes: ["additional_context"],
      canAsk: false,
    },
    subagent_end: { event: "subagentStop", veto: "continues", changes: [], canAsk: false },
    notification: { event: "notification", ...NOTHING },
    session_end: { event: "sessionEnd", ...NOTHING },
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "handled",
  projectVariables: ["COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};
