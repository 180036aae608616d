import * as z from "zod/mini";
import { configIn, seconds } from "../../install/agent-home.ts";
import { commandHandler, groupOf } from "../../install/entry-schema.ts";
import type { EntryInstaller } from "../../install/installer.ts";
import { CODEX_EVENTS } from "./abilities.ts";

/** More is not granted at the end of a session (0.166). */
const SESSION_END_SECONDS = 3;

// With an `http` handler the whole file is refused (0.166).
const handler = z.union([
  commandHandler,
  z.looseObject({ type: z.literal("mcp_tool"), server: z.string(), tool: z.string() }),
  z.looseObject({ type: z.enum(["prompt", "agent"]) }),
]);

export const codexInstaller: EntryInstaller = {
  kind: "entries",
  agent: "codex",
  events: CODEX_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: false },
  seed: {},
  ownsFile: false,
  canHttp: false,
  configFile: configIn(".codex", "CODEX_HOME", "hooks.json"),
  makeEntry: ({ event }, { command, limitMs }) => ({
    hooks: [
      {
        type: "command",
        command,
        timeout: event === "SessionEnd" ? SESSION_END_SECONDS : seconds(limitMs),
      },
    ],
  }),
  schema: z.strictObject({
    description: z.optional(z.string()),
    hooks: z.optional(z.record(z.string(), z.array(groupOf(handler)))),
  }),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the project when `codex` asks"] : []),
    "start `codex` once and trust the hooks it shows (`/hooks`): until then it skips them silently",
  ],
};
