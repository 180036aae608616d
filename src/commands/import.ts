import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { agentNames, flag } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

export default defineBundled({
  name: "import",
  description: "Take the agents' own custom commands and skills in as Markdown commands",
  category: "commands",
  argumentHint: "[agent…]",
  examples: ["adj import --dry-run", "adj import claude-code", "adj import gemini --user"],
  safety: "mutating",
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNames("of which agents; all by default"),
    user: flag("from your home, into your own commands"),
    project: flag("from this project, into its commands; the default"),
    force: flag("also where a Markdown command of that name is there"),
    dryRun: flag("only show what would be written"),
  }),
  run: async (args, context, program) => {
    const { importCommands } = await import("./import/import-commands.ts");
    return importCommands(args, context, program);
  },
});
