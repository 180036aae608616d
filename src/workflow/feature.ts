import type { Feature } from "../core/commands/bundled.ts";

export const workflowFeature: Feature = {
  name: "workflow",
  commands: {
    workflow: () => import("./commands/workflow.ts"),
  },
  scaffolds: {
    workflow: async () => (await import("./scaffolds.ts")).stagesScaffold,
    script: async () => (await import("./scaffolds.ts")).scriptScaffold,
  },
  host: async () => (await import("./host/extension.ts")).openWorkflowRuns,
};
