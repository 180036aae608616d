import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { agentNames, flag } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "uninstall",
  description: "Take Adjutant's hooks out of an agent's configuration again",
  category: "hooks",
  argumentHint: "<agent…>",
  examples: ["adj uninstall claude-code", "adj uninstall --all", "adj uninstall codex --project"],
  safety: "mutating",
  env: [...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNames("from which agents"),
    user: flag("from your own configuration; the default"),
    project: flag("from this project's"),
    all: flag("from every agent"),
    dryRun: flag("only show what would change"),
  }),
  run: async (args, context, program) => {
    const { uninstallFrom } = await import("./install/uninstall-hooks.ts");
    return uninstallFrom(args, context, program);
  },
});
