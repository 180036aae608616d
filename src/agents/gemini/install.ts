import { join } from "node:path";
import * as z from "zod/mini";
import { commandHandler, groupOf } from "../steps/entry-schema.ts";
import { eventsOf } from "../steps/hook-agent.ts";
import {
  type EntryInstaller,
  type McpInstaller,
  serversBeside,
  systemFile,
} from "../steps/installer.ts";
import { snakeSample } from "../steps/sample-step.ts";
import { GEMINI_ABILITIES } from "./hooks.ts";

export const geminiInstaller: EntryInstaller = {
  kind: "entries",
  agent: "gemini",
  abilities: GEMINI_ABILITIES,
  // BeforeModel is where a prompt that is a virtual command is answered for the model.
  events: eventsOf(GEMINI_ABILITIES, { before_prompt: "BeforeModel" }),
  syntax: { comments: true, trailingCommas: false, mark: false },
  seed: {},
  ownsFile: false,
  canHttp: false,
  // The variable names what stands for the home folder, not for `.gemini`.
  configFile: (scope, { env, home, root }) =>
    join(scope === "project" ? root : env.GEMINI_CLI_HOME || home, ".gemini", "settings.json"),
  managed: {
    file: (target) =>
      target.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH ||
      systemFile(target, "/etc/gemini-cli/settings.json"),
    // The system's settings have the last word over the project's.
    settings: [{ path: ["hooksConfig", "enabled"], value: true }],
    // Lists of names are joined over all layers (0.61).
    gap: {
      why: /hooksConfig\.disabled/,
      nextStep:
        "a project that names `adjutant` in `hooksConfig.disabled` still switches it off; `adj doctor` says where",
    },
  },
  // Milliseconds, unlike everywhere else.
  makeEntry: (_, { command, limitMs }) => ({
    hooks: [{ type: "command", command, name: "adjutant", timeout: limitMs }],
  }),
  schema: z.looseObject({
    hooks: z.optional(z.record(z.string(), z.array(groupOf(commandHandler)))),
  }),
  writeSample: snakeSample({
    ownFields: ({ time }) => ({ timestamp: time.toISOString() }),
    toolResponse: (output) => ({ llmContent: output, returnDisplay: output }),
  }),
  // As 0.61 does.
  blocksWithoutProgram: true,
  besideOthers: "a block of either holds; the later rewrite wins, and our rules do not see it",
  nextSteps: (scope) =>
    scope === "project"
      ? ["trust the folder when `gemini` asks, and the hook `adjutant` when it warns of a new one"]
      : [],
};

export const geminiMcp: McpInstaller = serversBeside(geminiInstaller, (scope) => [
  ...(scope === "project" ? ["trust the folder when `gemini` asks"] : []),
  "with `-p` it offers no tool of a server unless `trust` of the entry is true or the mode is `yolo`",
]);
