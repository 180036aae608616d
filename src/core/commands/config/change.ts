import type { JsonValue } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { findSecretValue, parseParamValue } from "../../project/param-value.ts";
import { editSettings } from "../../project/settings-file.ts";
import type { Program } from "../bundled.ts";
import { readSettingKey, settingsFiles } from "./show.ts";

export interface SettingChange {
  readonly key: string;
  /** Undefined to remove it. */
  readonly value: string | undefined;
  readonly isProject: boolean;
}

export function changeSettingFile(
  { key, value, isProject }: SettingChange,
  program: Program,
): CommandResult {
  const path = readSettingKey(key);
  const scope = isProject ? "project" : "user";
  const file = settingsFiles(program)[scope];
  const parsed = value === undefined ? undefined : readSettingValue(path, value);
  editSettings({ file, scope }, path, parsed);
  const done = value === undefined ? `removed ${key} from ${file}` : `set ${key} in ${file}`;
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

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
