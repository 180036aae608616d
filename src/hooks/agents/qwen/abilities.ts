// What Qwen Code 0.24 honours. It cannot rewrite arguments before a tool.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on, onAsking } from "../step-abilities.ts";

export const QWEN_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("SessionStart", "warns", ["additional_context"]),
    before_prompt: on("UserPromptSubmit", "blocks", ["additional_context"]),
    // Context is read here and then never used.
    before_tool: onAsking("PreToolUse", "blocks", ["result", "permission"]),
    after_tool: on("PostToolUse", "feedback", ["additional_context"]),
    before_permission: onAsking("PermissionRequest", "blocks", ["permission"]),
    before_turn_end: on("Stop", "continues"),
    before_compact: on("PreCompact"),
    after_compact: on("PostCompact"),
    subagent_start: on("SubagentStart", "warns", ["additional_context"]),
    subagent_end: on("SubagentStop", "continues"),
    notification: on("Notification"),
    session_end: on("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "none",
  promptAnswer: "none",
  projectVariables: ["QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};

export const QWEN_EVENTS = eventsOf(QWEN_ABILITIES, { after_tool: "PostToolUseFailure" });
