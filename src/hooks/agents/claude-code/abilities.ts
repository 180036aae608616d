// What Claude Code 2.1.325 honours.
import type { HookAbilities } from "../hook-agent.ts";

const NOTHING = { veto: "none", changes: [], canAsk: false } as const;

export const CLAUDE_ABILITIES: HookAbilities = {
  steps: {
    session_start: {
      event: "SessionStart",
      veto: "warns",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_prompt: {
      event: "UserPromptSubmit",
      veto: "blocks",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_tool: {
      event: "PreToolUse",
      veto: "blocks",
      changes: ["args", "result", "permission", "additional_context"],
      canAsk: true,
    },
    after_tool: {
      event: "PostToolUse",
      veto: "feedback",
      changes: ["additional_context", "output"],
      canAsk: false,
    },
    before_permission: {
      event: "PermissionRequest",
      veto: "blocks",
      changes: ["permission"],
      canAsk: true,
    },
    before_turn_end: { event: "Stop", veto: "continues", changes: [], canAsk: false },
    before_compact: { event: "PreCompact", veto: "blocks", changes: [], canAsk: false },
    after_compact: { event: "PostCompact", ...NOTHING },
    subagent_start: {
      event: "SubagentStart",
      veto: "warns",
      changes: ["additional_context"],
      canAsk: false,
    },
    subagent_end: { event: "SubagentStop", veto: "continues", changes: [], canAsk: false },
    notification: { event: "Notification", ...NOTHING },
    session_end: { event: "SessionEnd", ...NOTHING },
  },
  rewriteAllows: false,
  shims: "env-file",
  promptAnswer: "blocked-prompt",
  projectVariables: ["CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};
