import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { agentNames, flag } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

export default defineBundled({
  name: "install",
  description: "Put Adjutant's hooks into an agent's own configuration",
  category: "hooks",
  argumentHint: "[agent…]",
  examples: [
    "adj install",
    "adj install claude-code codex",
    "adj install gemini --project --dry-run",
    "adj install --all",
  ],
  safety: "mutating",
  // `ADJ_AGENT_*` and PATH say where the agents are.
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  args: z.strictObject({
    agents: agentNames("for which agents; none lists them"),
    user: flag("for yourself, in every project; the default"),
    project: flag("for everybody in this project"),
    all: flag("for every agent found here"),
    http: flag("let the agent call the resident over HTTP, where it then blocks on failure"),
    shimsOnly: flag("session start alone: virtual commands, no guards"),
    dryRun: flag("only show what would change"),
  }),
  run: async (args, context, program) =>
    args.agents.length === 0 && !args.all
      ? (await import("./install/list-installed.ts")).listInstalled(context, program)
      : (await import("./install/install-hooks.ts")).installFor(args, context, program),
});
