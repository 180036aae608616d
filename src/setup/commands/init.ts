import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";

/** What it may do, by the word that stands first in each line of its plan. */
const INIT_KINDS = ["import", "command", "guard", "hook", "schema", "install"] as const;

export default defineBundled({
  name: "init",
  description:
    "Set up this project: its scripts and prompts as commands, a guard, hooks for the agents",
  category: "start here",
  examples: ["adj init --dry-run", "adj init", "adj init --without command --without install"],
  safety: "mutating",
  person: PERSON_USES.init,
  // `ADJ_AGENT_*` and PATH say where the agents are.
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    dryRun: flagArgument("only show what would be done"),
    without: z._default(
      z
        .array(z.enum(INIT_KINDS))
        .check(z.meta({ plain: true, description: "leave out what is of this kind" })),
      [],
    ),
  }),
  run: async (args, context, program) => {
    const { initProject } = await import("../init/init.ts");
    return initProject(args, context, program);
  },
});
