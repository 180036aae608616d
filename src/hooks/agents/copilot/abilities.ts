// What Copilot CLI 1.0.102 honours.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on, onAsking } from "../step-abilities.ts";

export const COPILOT_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("sessionStart", "none", ["additional_context"]),
    before_prompt: on("userPromptSubmitted", "blocks", ["prompt", "additional_context"]),
    before_tool: onAsking("preToolUse", "blocks", [
      "args",
      "result",
      "permission",
      "additional_context",
    ]),
    after_tool: on("postToolUse", "feedback", ["additional_context", "output"]),
    before_permission: onAsking("permissionRequest", "blocks", ["permission"]),
    before_turn_end: on("agentStop", "continues"),
    before_compact: on("preCompact"),
    subagent_start: on("subagentStart", "none", ["additional_context"]),
    subagent_end: on("subagentStop", "continues"),
    notification: on("notification"),
    session_end: on("sessionEnd"),
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "handled",
  projectVariables: ["COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: false,
};

export const COPILOT_EVENTS = eventsOf(COPILOT_ABILITIES, { after_tool: "postToolUseFailure" });
