import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { agentNames, flag } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

export default defineBundled({
  name: "sync",
  description: "Write Markdown commands as the agents' own custom commands",
  category: "commands",
  argumentHint: "[agent…]",
  examples: ["adj sync", "adj sync claude-code gemini", "adj sync --user", "adj sync --check"],
  safety: "mutating",
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNames("for which agents; those that are used here by default"),
    user: flag("your own commands, into the agents' folders in your home"),
    project: flag("the project's commands, into its folders; the default"),
    check: flag("write nothing; exit 1 when something is out of date"),
    dryRun: flag("only show what would change"),
  }),
  run: async (args, context, program) => {
    const { syncCommands } = await import("./sync/sync-commands.ts");
    return syncCommands(args, context, program);
  },
});
