import * as z from "zod/mini";
import { misuse } from "../command/misuse.ts";
import { flag, text } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

const ACTIONS = ["get", "set", "unset", "path", "schema"] as const;

export default defineBundled({
  name: "config",
  description: "Show or change the settings",
  category: "program",
  argumentHint: "[get KEY | set KEY VALUE | unset KEY | path | schema]",
  examples: ["adj config", "adj config set model opus", "adj config unset params.temperature"],
  args: z.strictObject({
    action: z.optional(
      z.enum(ACTIONS).check(z.meta({ positional: 0, plain: true, description: "what to do" })),
    ),
    key: text("for example `model` or `agents.codex.path`", { positional: 1 }),
    value: text("text, or JSON", { positional: 2 }),
    project: flag("in the project's file, not yours"),
  }),
  run: async ({ action, key, value, project }, context, program) => {
    checkWords(action, key, value);
    const show = await import("./config/show-settings.ts");
    if (action === undefined) return show.showSettings(program);
    if (action === "path") return show.showPaths(program);
    if (action === "schema") return show.showSchema();
    if (key === undefined) throw misuse("config", `\`${action}\` needs a key`);
    if (action === "get") return show.showSetting(key, program);
    const { changeSetting } = await import("./config/change-setting.ts");
    return changeSetting({ key, value, isProject: project }, context, program);
  },
});

const WORDS = { get: 1, set: 2, unset: 1, path: 0, schema: 0 } as const;

function checkWords(
  action: keyof typeof WORDS | undefined,
  ...words: (string | undefined)[]
): void {
  if (action === undefined) return;
  const given = words.filter((word) => word !== undefined).length;
  if (given === WORDS[action]) return;
  const wanted = ["nothing more", "a key", "a key and a value"][WORDS[action]];
  throw misuse("config", `\`${action}\` takes ${wanted}`);
}
