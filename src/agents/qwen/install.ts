import * as z from "zod/mini";
import { commandHandler, groupOf } from "../steps/entry-schema.ts";
import {
  configIn,
  type EntryInstaller,
  type McpInstaller,
  serversBeside,
  systemFile,
} from "../steps/installer.ts";
import { snakeSample } from "../steps/sample-step.ts";
import { QWEN_ABILITIES, QWEN_EVENTS } from "./hooks.ts";

/** Below this the number is taken for seconds (0.24.4), above for milliseconds, by old versions too. */
const LEAST_MS = 1_000;

const handler = z.union([
  commandHandler,
  z.looseObject({ type: z.literal("http"), url: z.string() }),
  z.looseObject({ type: z.literal("prompt"), prompt: z.string() }),
]);

export const qwenInstaller: EntryInstaller = {
  kind: "entries",
  agent: "qwen",
  abilities: QWEN_ABILITIES,
  events: QWEN_EVENTS,
  syntax: { comments: true, trailingCommas: false, mark: true },
  seed: {},
  ownsFile: false,
  // It can call HTTP but does not block when nobody answers.
  canHttp: false,
  configFile: configIn(".qwen", "QWEN_HOME", "settings.json"),
  managed: {
    file: (target) =>
      target.env.QWEN_CODE_SYSTEM_SETTINGS_PATH ||
      systemFile(target, "/etc/qwen-code/settings.json"),
    // The system's settings have the last word over the project's.
    settings: [{ path: ["disableAllHooks"], value: false }],
  },
  makeEntry: (_, { command, limitMs }) => ({
    hooks: [{ type: "command", command, name: "adjutant", timeout: Math.max(LEAST_MS, limitMs) }],
  }),
  schema: z.looseObject({
    hooks: z.optional(z.record(z.string(), z.array(groupOf(handler)))),
  }),
  writeSample: snakeSample({
    ownFields: ({ time }) => ({ timestamp: time.toISOString(), permission_mode: "default" }),
    toolResponse: (output) => ({ llmContent: output, returnDisplay: output }),
  }),
  blocksWithoutProgram: false,
  besideOthers: null,
  nextSteps: (scope) =>
    scope === "project" ? ["trust the folder if `qwen` asks; until then it runs no hooks"] : [],
};

export const qwenMcp: McpInstaller = serversBeside(qwenInstaller, (scope) => [
  ...(scope === "project" ? ["trust the folder if `qwen` asks"] : []),
  "with `-p` it refuses the tools of a server unless `trust` of the entry is true or `--allowed-tools` names them",
]);
