import type { Feature } from "../core/commands/bundled.ts";

export const workflowFeature: Feature = {
  name: "workflow",
  commands: {
    workflow: () => import("./commands/workflow.ts"),
  },
  oldThings: async (search) => (await import("./commands/old-runs.ts")).findOldWorkflowRuns(search),
  scaffolds: {
    workflow: async () => (await import("./scaffolds.ts")).stagesScaffold,
    script: async () => (await import("./scaffolds.ts")).scriptScaffold,
  },
  bringAttached: async (saved, context, program) =>
    (await import("./commands/bring-attached.ts")).bringAttached(saved, { context, program }),
  host: async () => (await import("./host/extension.ts")).openWorkflowRuns,
};
