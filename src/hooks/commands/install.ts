import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { agentNamesArgument, defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";

export default defineBundled({
  name: "install",
  description: "Put Adjutant's hooks, or its MCP server, into an agent's own configuration",
  category: "hooks",
  argumentHint: "[agent…]",
  examples: [
    "adj install",
    "adj install claude-code codex",
    "adj install gemini --project --dry-run",
    "adj install --all",
    "adj install claude-code --managed",
    "adj install codex --mcp",
  ],
  safety: "mutating",
  person: PERSON_USES.install,
  // `ADJ_AGENT_*` and PATH say where the agents are.
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNamesArgument("for which agents; none lists them"),
    user: flagArgument("for yourself, in every project; the default"),
    project: flagArgument("for everybody in this project"),
    managed: flagArgument(
      "for everybody on this machine, where no repository switches it off; as root",
    ),
    all: flagArgument("for every agent found here"),
    http: flagArgument(
      "let the agent call the resident over HTTP, where it then blocks on failure",
    ),
    shimsOnly: flagArgument("session start alone: virtual commands, no guards"),
    mcp: flagArgument("the entry of Adjutant's MCP server instead of hooks"),
    dryRun: flagArgument("only show what would change"),
  }),
  run: async (args, context, program) => {
    if (args.agents.length === 0 && !args.all)
      return (await import("./describe-install.ts")).listInstalled(context, program);
    if (args.mcp)
      return (await import("./install-server.ts")).installServers(args, context, program);
    return (await import("./install-hooks.ts")).installFor(args, context, program);
  },
});
