// What Gemini CLI 0.61 honours.
import type { HookAbilities } from "../hook-agent.ts";

export const GEMINI_ABILITIES: HookAbilities = {
  steps: {
    session_start: {
      event: "SessionStart",
      veto: "warns",
      changes: ["additional_context"],
      canAsk: false,
    },
    before_prompt: {
      event: "BeforeAgent",
      veto: "blocks",
      changes: ["additional_context"],
      canAsk: false,
    },
    // `ask` without a person hung for more than 90 s, and the payload does not say whether there is one.
    before_tool: {
      event: "BeforeTool",
      veto: "blocks",
      changes: ["args", "result", "permission"],
      canAsk: false,
    },
    after_tool: {
      event: "AfterTool",
      veto: "feedback",
      changes: ["additional_context", "output"],
      canAsk: false,
    },
    before_turn_end: { event: "AfterAgent", veto: "continues", changes: [], canAsk: false },
    before_compact: { event: "PreCompress", veto: "none", changes: [], canAsk: false },
    notification: { event: "Notification", veto: "none", changes: [], canAsk: false },
    session_end: { event: "SessionEnd", veto: "none", changes: [], canAsk: false },
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "synthetic-response",
  projectVariables: ["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  readsStderr: true,
};
