import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { agentNamesArgument, defineBundled, flagArgument } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "uninstall",
  description: "Take Adjutant's hooks and MCP server out of an agent's configuration again",
  category: "hooks",
  argumentHint: "<agent…>",
  examples: ["adj uninstall claude-code", "adj uninstall --all", "adj uninstall codex --project"],
  safety: "mutating",
  person: PERSON_USES.uninstall,
  env: [...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNamesArgument("from which agents"),
    user: flagArgument("from your own configuration; the default"),
    project: flagArgument("from this project's"),
    managed: flagArgument("from this machine's, as root"),
    all: flagArgument("from every agent; what `adj init` wrote here, too"),
    mcp: flagArgument("the entry of Adjutant's MCP server alone"),
    dryRun: flagArgument("only show what would change"),
  }),
  run: async (args, context, program) => {
    const { uninstallFrom } = await import("./install-hooks.ts");
    return uninstallFrom(args, context, program);
  },
});
