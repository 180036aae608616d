import type { Feature } from "../core/commands/bundled.ts";

export const agentsFeature: Feature = {
  name: "agents",
  commands: {
    agent: () => import("./commands/agent.ts"),
    runs: () => import("./commands/runs.ts"),
  },
  oldThings: async (search) => (await import("./commands/old-runs.ts")).findOldAgentRuns(search),
  agentWords: async () => (await import("./roster.ts")).AGENT_WORDS,
  trustNotes: async (context, program) =>
    (await import("./commands/project-guard.ts")).listSwitchNotes(context, program),
};
