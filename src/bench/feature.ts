import type { Feature } from "../core/commands/bundled.ts";

export const benchFeature: Feature = {
  name: "bench",
  commands: {
    bench: () => import("./commands/bench.ts"),
  },
  oldThings: async (search) => (await import("./commands/remove.ts")).findOldSuiteRuns(search),
};
