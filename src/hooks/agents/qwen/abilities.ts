// What Qwen Code 0.24 honours. It cannot rewrite arguments before a tool.
import type { HookAbilities } from "../hook-agent.ts";

const NOTHING = { veto: "none", changes: [], canAsk: false } as const;

export const QWEN_ABILITIES: HookAbilities = {
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
    // Context is read here and then never used.
    before_tool: {
      event: "PreToolUse",
      veto: "blocks",
      changes: ["result", "permission"],
      canAsk: true,
    },
    after_tool: {
      event: "PostToolUse",
      veto: "feedback",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_permission: {
      event: "PermissionRequest",
      veto: "blocks",
      changes: ["permission"],
      canAsk: true,
    },
    before_turn_end: { event: "Stop", veto: "continues", changes: [], canAsk: false },
    before_compact: { event: "PreCompact", ...NOTHING },
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
  shims: "none",
  promptAnswer: "none",
  projectVariables: ["QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};
