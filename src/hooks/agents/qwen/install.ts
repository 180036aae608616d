import * as z from "zod/mini";
import { configIn } from "../../install/agent-home.ts";
import { commandHandler, groupOf } from "../../install/entry-schema.ts";
import type { EntryInstaller } from "../../install/installer.ts";
import { QWEN_EVENTS } from "./abilities.ts";

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
  events: QWEN_EVENTS,
  syntax: { comments: true, trailingCommas: false, mark: true },
  seed: {},
  ownsFile: false,
  // It can call HTTP but does not block when nobody answers.
  canHttp: false,
  configFile: configIn(".qwen", "QWEN_HOME", "settings.json"),
  makeEntry: (_, { command, limitMs }) => ({
    hooks: [{ type: "command", command, name: "adjutant", timeout: Math.max(LEAST_MS, limitMs) }],
  }),
  schema: z.looseObject({
    hooks: z.optional(z.record(z.string(), z.array(groupOf(handler)))),
  }),
  nextSteps: (scope) =>
    scope === "project" ? ["trust the folder if `qwen` asks; until then it runs no hooks"] : [],
};
