import { join } from "node:path";
import * as z from "zod/mini";
import { agentHome, seconds } from "../../install/agent-home.ts";
import { positive } from "../../install/entry-schema.ts";
import type { EntryInstaller } from "../../install/installer.ts";
import { COPILOT_EVENTS } from "./abilities.ts";

export const copilotInstaller: EntryInstaller = {
  kind: "entries",
  agent: "copilot",
  events: COPILOT_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: false },
  seed: { version: 1 },
  ownsFile: true,
  canHttp: false,
  configFile: (scope, place) =>
    scope === "project"
      ? join(place.root, ".github", "hooks", "adjutant.json")
      : join(agentHome(place, "COPILOT_HOME", ".copilot"), "hooks", "adjutant.json"),
  makeEntry: (_, { command, limitMs }) => ({
    type: "command",
    bash: command,
    timeoutSec: seconds(limitMs),
  }),
  schema: z.looseObject({
    version: z.literal(1),
    hooks: z.optional(
      z.record(
        z.string(),
        z.array(
          z.looseObject({
            timeoutSec: z.optional(positive),
            hooks: z.optional(z.array(z.unknown())),
          }),
        ),
      ),
    ),
  }),
  nextSteps: (scope) =>
    scope === "project"
      ? [
          "trust the folder when `copilot` asks; with `-p` give `GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true`",
        ]
      : [],
};
