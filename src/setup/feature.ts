import type { Feature } from "../core/commands/bundled.ts";

export const setupFeature: Feature = {
  name: "setup",
  commands: {
    doctor: () => import("./commands/doctor.ts"),
    init: () => import("./commands/init.ts"),
    tour: () => import("./commands/tour.ts"),
  },
  undoSetup: async (program, isDryRun) =>
    (await import("./init/init.ts")).describeUndone(program, isDryRun),
};
