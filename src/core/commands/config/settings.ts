// What `adj config` does: shows settings as they count, their files and their schema, and changes a file.

import { join } from "node:path";
import type { JsonValue } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { didYouMean, quoteNames, snakeCase } from "../../command/names.ts";
import { type CommandResult, fail, ok } from "../../command/result.ts";
import { escapeLine } from "../../command/words.ts";
import { isJsonObject, parseJson, textOrJson } from "../../project/json-value.ts";
import { findSecretValue, parseParamValue } from "../../project/param-value.ts";
import { LAYER_FOLDER } from "../../project/paths.ts";
import { editSettings, SETTINGS_SCHEMA } from "../../project/settings-file.ts";
import { collectAgentWords, type Program } from "../bundled.ts";

const settingsFiles = ({ configDir, root }: Program) => ({
  user: join(configDir, "config.yaml"),
  project: join(root, LAYER_FOLDER, "config.yaml"),
});

/** As they count: the project's over the user's, in the words of the file. */
async function readShownSettings(program: Program): Promise<Record<string, JsonValue>> {
  const settings = await program.settings();
  const shown: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(settings))
    if (!isEmpty(value)) shown[snakeCase(key)] = value;
  return shown;
}

const isEmpty = (value: JsonValue | undefined): value is null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === "object" && Object.keys(value).length === 0);

export async function showSettings(program: Program): Promise<CommandResult> {
  const settings = await readShownSettings(program);
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${textOrJson(value)}`);
  return ok(lines.length === 0 ? "nothing is set" : lines.join("\n"), { settings });
}

export async function showSetting(key: string, program: Program): Promise<CommandResult> {
  let value: JsonValue | undefined = await readShownSettings(program);
  for (const step of readSettingKey(key))
    value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  if (value === undefined) return fail(`\`${key}\` is not set`, 1, { key, value: null });
  return ok(textOrJson(value), { key, value });
}

export function showSettingsPaths(program: Program): CommandResult {
  const files = settingsFiles(program);
  return ok(`user     ${files.user}\nproject  ${files.project}`, files);
}

export async function showSettingsSchema(): Promise<CommandResult> {
  const { describeFile } = await import("../../load/file-schema.ts");
  const schema = describeFile(SETTINGS_SCHEMA);
  return ok(JSON.stringify(schema, null, 2), { schema });
}

const SETTING_KEYS = Object.keys(SETTINGS_SCHEMA.shape);

/** `params.a.b` is the parameter `a.b`; any other dot leads one map deeper. */
function readSettingKey(key: string): readonly [string, ...string[]] {
  const [first = "", ...rest] = key.split(".");
  if (!SETTING_KEYS.includes(first)) throw unknownSetting(first);
  if (rest.some((step) => step === ""))
    throw fault("InputInvalid", { what: `\`${key}\``, problem: "a name between dots is missing" });
  return first === "params" && rest.length > 0 ? [first, rest.join(".")] : [first, ...rest];
}

function unknownSetting(key: string) {
  const meant = didYouMean(key, SETTING_KEYS, 1);
  const hint = `known are ${quoteNames(SETTING_KEYS)}`;
  return fault(
    "InputInvalid",
    { what: `\`${key}\``, problem: `no such setting${meant}` },
    { hint },
  );
}

interface SettingChange {
  readonly key: string;
  /** Undefined to remove it. */
  readonly value: string | undefined;
  readonly isProject: boolean;
}

export async function changeSettingFile(
  { key, value, isProject }: SettingChange,
  program: Program,
): Promise<CommandResult> {
  const path = readSettingKey(key);
  const scope = isProject ? "project" : "user";
  const file = settingsFiles(program)[scope];
  const parsed = value === undefined ? undefined : readSettingValue(path, value);
  const source = { file, scope, agentWords: await collectAgentWords(program) } as const;
  const isChanged = editSettings(source, path, parsed);
  const shown = escapeLine(file);
  if (!isChanged) return ok(`${key} is not set in ${shown}`, { key, value: null, scope, file });
  const done = value === undefined ? `removed ${key} from ${shown}` : `set ${key} in ${shown}`;
  const text = isProject ? `${done}; it counts after \`adj trust\`` : done;
  return ok(text, { key, value: parsed ?? null, scope, file });
}

const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...["agent", "agents", "inbox", "mode", "model", "prefix"],
]);

function readSettingValue(path: readonly string[], text: string): JsonValue {
  const [first = "", ...rest] = path;
  if (TEXT_KEYS.has(first)) return text;
  if (first !== "params" || rest.length === 0) return parseJson(text) ?? text;
  const value = parseParamValue(text);
  const secret = findSecretValue(rest.join("."), value);
  if (secret === null) return value;
  const { problem, hint } = secret;
  throw fault("ArgumentsInvalid", { command: "config", problem }, { hint });
}
