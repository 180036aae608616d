import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { agentNamesArgument, defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";

export default defineBundled({
  name: "sync",
  description: "Write Markdown commands as the agents' own custom commands",
  category: "commands",
  argumentHint: "[agent…]",
  examples: ["adj sync", "adj sync claude-code gemini", "adj sync --user", "adj sync --check"],
  safety: "mutating",
  // What an agent is told by a command is not for the agent to write.
  person: PERSON_USES.sync,
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNamesArgument("for which agents; those that are used here by default"),
    user: flagArgument("your own commands, into the agents' folders in your home"),
    project: flagArgument("the project's commands, into its folders; the default"),
    check: flagArgument("write nothing; exit 1 when something is out of date"),
    remove: flagArgument("take away all that sync wrote"),
    dryRun: flagArgument("only show what would change"),
  }),
  run: async (args, context, program) => {
    const { syncCommands } = await import("./sync-commands.ts");
    return syncCommands(args, context, program);
  },
});
