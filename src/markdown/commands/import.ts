import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { agentNamesArgument, defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";

export default defineBundled({
  name: "import",
  description: "Take the agents' own custom commands and skills in as Markdown commands",
  category: "commands",
  argumentHint: "[agent…]",
  examples: ["adj import --dry-run", "adj import claude-code", "adj import gemini --user"],
  safety: "mutating",
  // A project's commands need a person's trust; a user's own count at once.
  person: PERSON_USES.import,
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNamesArgument("of which agents; all by default"),
    user: flagArgument("from your home, into your own commands"),
    project: flagArgument("from this project, into its commands; the default"),
    force: flagArgument("also where a Markdown command of that name is there"),
    dryRun: flagArgument("only show what would be written"),
  }),
  run: async (args, context, program) => {
    const { importCommands } = await import("./import-commands.ts");
    return importCommands(args, context, program);
  },
});
