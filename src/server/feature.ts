import type { Feature } from "../core/commands/bundled.ts";

export const serverFeature: Feature = {
  name: "server",
  commands: {
    acp: () => import("./commands/acp.ts"),
    mcp: () => import("./commands/mcp.ts"),
  },
  host: () => import("./host/calls-in-host.ts"),
};
