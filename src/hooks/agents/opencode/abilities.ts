// What our plugin can do inside opencode 1.18.33.
import type { HookAbilities } from "../hook-agent.ts";
import { PLUGIN_LIMIT_MS } from "./plugin-limit.ts";

const NOTHING = { veto: "none", changes: [], canAsk: false } as const;

export const OPENCODE_ABILITIES: HookAbilities = {
  steps: {
    session_start: {
      event: "session.start",
      veto: "none",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_prompt: {
      event: "chat.message",
      veto: "blocks",
      changes: ["prompt", "additional_context"],
      canAsk: false,
    },
    before_tool: {
      event: "tool.execute.before",
      veto: "blocks",
      changes: ["args", "result", "permission", "additional_context"],
      canAsk: false,
    },
    after_tool: {
      event: "tool.execute.after",
      veto: "feedback",
      changes: ["additional_context", "output"],
      canAsk: false,
    },
    before_permission: {
      event: "permission.ask",
      veto: "blocks",
      changes: ["permission"],
      canAsk: true,
    },
    before_turn_end: { event: "session.idle", veto: "continues", changes: [], canAsk: false },
    before_compact: {
      event: "session.compacting",
      veto: "none",
      changes: ["additional_context"],
      canAsk: false,
    },
    after_compact: { event: "session.compacted", ...NOTHING },
    session_end: { event: "session.deleted", ...NOTHING },
  },
  rewriteAllows: false,
  // The plugin names an environment file at session start, as Claude Code does, and passes on what it sets.
  shims: "env-file",
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: PLUGIN_LIMIT_MS,
  readsStderr: false,
};
