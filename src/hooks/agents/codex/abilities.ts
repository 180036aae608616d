// What Codex CLI 0.166 honours; the schemas of its answers are in its program.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on, onAsking } from "../step-abilities.ts";

export const CODEX_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("SessionStart", "blocks", ["additional_context"]),
    before_prompt: on("UserPromptSubmit", "blocks", ["additional_context"]),
    before_tool: on("PreToolUse", "blocks", ["args", "result", "permission", "additional_context"]),
    after_tool: on("PostToolUse", "feedback", ["additional_context", "output"]),
    before_permission: onAsking("PermissionRequest", "blocks", ["permission"]),
    before_turn_end: on("Stop", "continues"),
    before_compact: on("PreCompact", "blocks"),
    after_compact: on("PostCompact"),
    subagent_start: on("SubagentStart", "warns", ["additional_context"]),
    subagent_end: on("SubagentStop", "continues"),
    session_end: on("SessionEnd"),
  },
  rewriteAllows: true,
  shims: "none",
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: 60_000,
  readsStderr: false,
};

export const CODEX_EVENTS = eventsOf(CODEX_ABILITIES);
