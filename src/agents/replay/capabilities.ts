import type { AgentCapabilities } from "../capabilities.ts";

export const replayCapabilities = (): AgentCapabilities => ({
  flags: [],
  ownFlags: [],
  settings: {},
  prompt: "none",
  outputFormats: ["text"],
  canResume: false,
  hasHooks: false,
  hasMcp: false,
  acp: null,
  models: null,
});
