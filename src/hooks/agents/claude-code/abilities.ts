// What Claude Code 2.1.325 honours.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on, onAsking } from "../step-abilities.ts";

export const CLAUDE_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("SessionStart", "warns", ["additional_context"]),
    before_prompt: on("UserPromptSubmit", "blocks", ["additional_context"]),
    before_tool: onAsking("PreToolUse", "blocks", [
      "args",
      "result",
      "permission",
      "additional_context",
    ]),
    after_tool: on("PostToolUse", "feedback", ["additional_context", "output"]),
    before_permission: onAsking("PermissionRequest", "blocks", ["permission"]),
    before_turn_end: on("Stop", "continues"),
    before_compact: on("PreCompact", "blocks"),
    after_compact: on("PostCompact"),
    subagent_start: on("SubagentStart", "warns", ["additional_context"]),
    subagent_end: on("SubagentStop", "continues"),
    notification: on("Notification"),
    session_end: on("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "env-file",
  promptAnswer: "blocked-prompt",
  projectVariables: ["CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};

export const CLAUDE_EVENTS = eventsOf(CLAUDE_ABILITIES, { after_tool: "PostToolUseFailure" });
