import * as z from "zod/mini";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "resident",
  description: "Start, look at or stop the process that answers agents' hooks fast",
  category: "hooks",
  argumentHint: "<start|status|stop>",
  examples: ["adj resident status", "adj resident stop"],
  // What it is started with is picked; see `residentEnvironment`.
  inheritEnv: true,
  args: z.strictObject({
    action: z._default(
      z
        .enum(["start", "status", "stop"])
        .check(z.meta({ positional: 0, plain: true, description: "what to do" })),
      "status",
    ),
  }),
  run: async ({ action }, context, program) => {
    const { showResident, startOne, stopOne } = await import("./resident/manage-resident.ts");
    if (action === "start") return startOne(context, program);
    return action === "stop" ? stopOne(program) : showResident(program);
  },
});
