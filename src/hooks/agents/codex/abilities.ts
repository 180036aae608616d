// What Codex CLI 0.166 honours; the schemas of its answers are in its program.
import type { HookAbilities } from "../hook-agent.ts";

export const CODEX_ABILITIES: HookAbilities = {
  steps: {
    session_start: {
      event: "SessionStart",
      veto: "blocks",
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
      canAsk: false,
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
    after_compact: { event: "PostCompact", veto: "none", changes: [], canAsk: false },
    subagent_start: {
      event: "SubagentStart",
      veto: "warns",
      changes: ["additional_context"],
      canAsk: false,
    },
    subagent_end: { event: "SubagentStop", veto: "continues", changes: [], canAsk: false },
    session_end: { event: "SessionEnd", veto: "none", changes: [], canAsk: false },
  },
  rewriteAllows: true,
  shims: "none",
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: 60_000,
  readsStderr: false,
};
