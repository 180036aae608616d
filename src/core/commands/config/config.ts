import * as z from "zod/mini";
import { misuse } from "../../command/fault.ts";
import { PERSON_USES } from "../../command/person.ts";
import { choiceArgument, defineBundled, flagArgument, textArgument } from "../bundled.ts";

const ACTIONS = ["get", "set", "unset", "path", "schema"] as const;
const DOES = {
  get: "Show one setting; `adj config` alone shows all",
  set: "Set a setting",
  unset: "Take a setting away, so that the layer below counts",
  path: "Say where the file of settings is",
  schema: "Print the JSON Schema of the file",
};

export default defineBundled({
  name: "config",
  description: "Show or change the settings",
  category: "program",
  person: PERSON_USES.config,
  argumentHint: "[get KEY | set KEY VALUE | unset KEY | path | schema]",
  examples: ["adj config", "adj config set model opus", "adj config unset params.temperature"],
  args: z.strictObject({
    action: choiceArgument(ACTIONS, "what to do", { positional: 0, actions: DOES }),
    key: textArgument("for example `model` or `agents.codex.path`", {
      positional: 1,
      when: ["get", "set", "unset"],
    }),
    value: textArgument("text, or JSON", { positional: 2, when: ["set"] }),
    project: flagArgument("in the project's file, not yours", { when: ["set", "unset"] }),
  }),
  run: async ({ action, key, value, project }, _, program) => {
    checkWords(action, key, value);
    const settings = await import("./settings.ts");
    if (action === undefined) return settings.showSettings(program);
    if (action === "path") return settings.showSettingsPaths(program);
    if (action === "schema") return settings.showSettingsSchema();
    if (key === undefined) throw misuse("config", `\`${action}\` needs a key`);
    if (action === "get") return settings.showSetting(key, program);
    return settings.changeSettingFile({ key, value, isProject: project }, program);
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
