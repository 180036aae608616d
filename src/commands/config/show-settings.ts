import { join } from "node:path";
import { type CommandResult, fail, ok } from "../../command/result.ts";
import type { JsonValue } from "../../command/session-access.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import { settingsJsonSchema } from "../../config/settings-schema.ts";
import type { Program } from "../program.ts";
import { readKey } from "./setting-path.ts";

export const settingsFiles = ({ configDir, root }: Program) => ({
  user: join(configDir, "config.yaml"),
  project: join(root, LAYER_FOLDER, "config.yaml"),
});

/** As they count: the project's over the user's, in the words of the file. */
async function readSettings(program: Program): Promise<Record<string, JsonValue>> {
  const settings = await program.settings();
  const shown: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(settings))
    if (!isEmpty(value)) shown[snakeCase(key)] = value;
  return shown;
}

const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isEmpty = (value: JsonValue | undefined): value is null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === "object" && Object.keys(value).length === 0);

const formatValue = (value: JsonValue): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export async function showSettings(program: Program): Promise<CommandResult> {
  const settings = await readSettings(program);
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${formatValue(value)}`);
  return ok(lines.length === 0 ? "nothing is set" : lines.join("\n"), { settings });
}

export async function showSetting(key: string, program: Program): Promise<CommandResult> {
  let value: JsonValue | undefined = await readSettings(program);
  for (const step of readKey(key))
    value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  if (value === undefined) return fail(`\`${key}\` is not set`, 1, { key, value: null });
  return ok(formatValue(value), { key, value });
}

const isMap = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function showPaths(program: Program): CommandResult {
  const files = settingsFiles(program);
  return ok(`user     ${files.user}\nproject  ${files.project}`, files);
}

export function showSchema(): CommandResult {
  const schema = settingsJsonSchema();
  return ok(JSON.stringify(schema, null, 2), { schema });
}
