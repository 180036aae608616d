import type { AgentCapabilities, Mode } from "../capabilities.ts";

/** The client answers for the person, so a mode is a way of answering and no flag. */
const ANSWERED: Mode = { uses: [] };

export const acpCapabilities = (): AgentCapabilities => ({
  flags: [],
  ownFlags: [],
  settings: {
    // Chosen in the session, where the agent lists its models.
    model: { to: "own" },
    permission_mode: {
      to: "modes",
      modes: { plan: ANSWERED, ask: ANSWERED, allowlist: ANSWERED, auto: ANSWERED },
    },
    allowed_tools: { to: "own" },
    resume: { to: "own" },
  },
  prompt: "stdin",
  outputFormats: ["acp"],
  canResume: true,
  hasHooks: false,
  hasMcp: false,
  acp: [],
  models: null,
});
