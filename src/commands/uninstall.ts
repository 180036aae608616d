import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { defineBundled } from "./program.ts";

const choice = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, description })), false);

export default defineBundled({
  name: "uninstall",
  description: "Take Adjutant's hooks out of an agent's configuration again",
  category: "hooks",
  argumentHint: "<agent…>",
  examples: ["adj uninstall claude-code", "adj uninstall --all", "adj uninstall codex --project"],
  safety: "mutating",
  env: [...HOME_VARIABLES],
  args: z.strictObject({
    agents: z._default(
      z
        .array(z.string())
        .check(z.meta({ positional: "rest", plain: true, description: "from which agents" })),
      [],
    ),
    user: choice("from your own configuration; the default"),
    project: choice("from this project's"),
    all: choice("from every agent"),
    dryRun: choice("only show what would change"),
  }),
  run: async (args, context, program) => {
    const { uninstallFrom } = await import("./install/uninstall-hooks.ts");
    return uninstallFrom(args, context, program);
  },
});
