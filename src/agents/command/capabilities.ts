import type { AgentCapabilities } from "../capabilities.ts";

/** Any program: the prompt goes in, text comes out. Nothing else is known about it. */
export const commandCapabilities = (): AgentCapabilities => ({
  flags: [],
  ownFlags: [],
  settings: {},
  prompt: "stdin",
  takesWords: true,
  outputFormats: ["text"],
  canResume: false,
  hasHooks: false,
  hasMcp: false,
  acp: null,
  models: null,
});
