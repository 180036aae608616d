import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

const choice = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, description })), false);

export default defineBundled({
  name: "import",
  description: "Take the agents' own custom commands and skills in as Markdown commands",
  category: "commands",
  argumentHint: "[agent…]",
  examples: ["adj import --dry-run", "adj import claude-code", "adj import gemini --user"],
  safety: "mutating",
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: z._default(
      z.array(z.string()).check(
        z.meta({
          positional: "rest",
          plain: true,
          description: "of which agents; all by default",
        }),
      ),
      [],
    ),
    user: choice("from your home, into your own commands"),
    project: choice("from this project, into its commands; the default"),
    force: choice("also where a Markdown command of that name is there"),
    dryRun: choice("only show what would be written"),
  }),
  run: async (args, context, program) => {
    const { importCommands } = await import("./import/import-commands.ts");
    return importCommands(args, context, program);
  },
});
