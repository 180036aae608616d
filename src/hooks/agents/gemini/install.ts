import { join } from "node:path";
import * as z from "zod/mini";
import { commandHandler, groupOf } from "../../install/entry-schema.ts";
import type { EntryInstaller } from "../../install/installer.ts";
import { eventsOf } from "../step-abilities.ts";
import { GEMINI_ABILITIES } from "./abilities.ts";

export const geminiInstaller: EntryInstaller = {
  kind: "entries",
  agent: "gemini",
  // BeforeModel is where a prompt that is a virtual command is answered for the model.
  events: eventsOf(GEMINI_ABILITIES, { before_prompt: "BeforeModel" }),
  syntax: { comments: true, trailingCommas: false, mark: false },
  seed: {},
  ownsFile: false,
  canHttp: false,
  // The variable names what stands for the home folder, not for `.gemini`.
  configFile: (scope, { env, home, root }) =>
    join(scope === "project" ? root : env.GEMINI_CLI_HOME || home, ".gemini", "settings.json"),
  // Milliseconds, unlike everywhere else.
  makeEntry: (_, { command, limitMs }) => ({
    hooks: [{ type: "command", command, name: "adjutant", timeout: limitMs }],
  }),
  schema: z.looseObject({
    hooks: z.optional(z.record(z.string(), z.array(groupOf(commandHandler)))),
  }),
  nextSteps: (scope) =>
    scope === "project"
      ? ["trust the folder when `gemini` asks, and the hook `adjutant` when it warns of a new one"]
      : [],
};
