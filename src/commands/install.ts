import * as z from "zod/mini";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

const choice = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, description })), false);

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
    agents: z._default(
      z.array(z.string()).check(
        z.meta({
          positional: "rest",
          plain: true,
          description: "for which agents; none lists them",
        }),
      ),
      [],
    ),
    user: choice("for yourself, in every project; the default"),
    project: choice("for everybody in this project"),
    all: choice("for every agent found here"),
    http: choice("let the agent call the resident over HTTP, where it then blocks on failure"),
    shimsOnly: choice("session start alone: virtual commands, no guards"),
    dryRun: choice("only show what would change"),
  }),
  run: async (args, context, program) =>
    args.agents.length === 0 && !args.all
      ? (await import("./install/list-installed.ts")).listInstalled(context, program)
      : (await import("./install/install-hooks.ts")).installFor(args, context, program),
});
