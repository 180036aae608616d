import type { Feature } from "../core/commands/bundled.ts";

export const simFeature: Feature = {
  name: "sim",
  commands: {
    sim: () => import("./commands/sim.ts"),
  },
};
