// What our plugin can do inside opencode 1.18.33.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on, onAsking } from "../step-abilities.ts";
import { PLUGIN_LIMIT_MS } from "./plugin-limit.ts";

export const OPENCODE_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("session.start", "none", ["additional_context"]),
    before_prompt: on("chat.message", "blocks", ["prompt", "additional_context"]),
    before_tool: on("tool.execute.before", "blocks", [
      "args",
      "result",
      "permission",
      "additional_context",
    ]),
    after_tool: on("tool.execute.after", "feedback", ["additional_context", "output"]),
    before_permission: onAsking("permission.ask", "blocks", ["permission"]),
    before_turn_end: on("session.idle", "continues"),
    before_compact: on("session.compacting", "none", ["additional_context"]),
    after_compact: on("session.compacted"),
    session_end: on("session.deleted"),
  },
  rewriteAllows: false,
  // The plugin names an environment file at session start, as Claude Code does, and passes on what it sets.
  shims: "env-file",
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: PLUGIN_LIMIT_MS,
  readsStderr: false,
};

export const OPENCODE_EVENTS = eventsOf(OPENCODE_ABILITIES);
