// What Gemini CLI 0.61 honours.
import type { HookAbilities } from "../hook-agent.ts";
import { eventsOf, on } from "../step-abilities.ts";

export const GEMINI_ABILITIES: HookAbilities = {
  steps: {
    session_start: on("SessionStart", "warns", ["additional_context"]),
    before_prompt: on("BeforeAgent", "blocks", ["additional_context"]),
    // `ask` without a person hung for more than 90 s, and the payload does not say whether there is one.
    before_tool: on("BeforeTool", "blocks", ["args", "result", "permission"]),
    after_tool: on("AfterTool", "feedback", ["additional_context", "output"]),
    before_turn_end: on("AfterAgent", "continues"),
    before_compact: on("PreCompress"),
    notification: on("Notification"),
    session_end: on("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "synthetic-response",
  projectVariables: ["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: true,
};

export const GEMINI_EVENTS = eventsOf(GEMINI_ABILITIES);
