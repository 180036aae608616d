import type { Feature } from "../core/commands/bundled.ts";

export const serverFeature: Feature = {
  name: "server",
  commands: {
    acp: () => import("./commands/acp.ts"),
    mcp: () => import("./commands/mcp.ts"),
  },
  host: async () => (await import("./host/calls-in-host.ts")).openCommandCalls,
};
