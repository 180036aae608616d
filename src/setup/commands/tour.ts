import * as z from "zod/mini";
import { fault } from "../../core/command/fault.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "tour",
  description: "Show in a minute what Adjutant does, in a folder that is removed afterwards",
  category: "start here",
  textParts: null,
  safety: "read_only",
  args: z.object({}),
  run: async (_, context, program) => {
    // On the way its example is trusted, which is for a person alone.
    if (context.isBelowAgent)
      throw fault("Required", { name: "tour" }, { hint: "run it yourself, outside the agent" });
    const { takeTour } = await import("../tour/tour.ts");
    const shown = await takeTour(program.entry, {
      env: context.env.forChild(),
      signal: context.signal,
      show: (text) => context.write(text),
    });
    return ok(shown);
  },
});
