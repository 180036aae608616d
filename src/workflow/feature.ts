import type { Feature } from "../core/commands/bundled.ts";

export const workflowFeature: Feature = {
  name: "workflow",
  commands: {},
  host: () => import("./host/extension.ts"),
};
