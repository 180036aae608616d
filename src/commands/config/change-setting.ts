import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { JsonValue } from "../../command/session-access.ts";
import { editSettings } from "../../config/settings-edit.ts";
import { findSecret, readValue } from "../../session/param-change.ts";
import type { Program } from "../program.ts";
import { readKey } from "./setting-path.ts";
import { settingsFiles } from "./show-settings.ts";

export interface SettingWish {
  readonly key: string;
  /** Undefined to remove it. */
  readonly value: string | undefined;
  readonly isProject: boolean;
}

/** By these a person lets more happen unasked. In a project's file they count only once trusted. */
const GRANTS: ReadonlySet<string> = new Set(["agents", "mode", "plugins"]);

export function changeSetting(
  { key, value, isProject }: SettingWish,
  context: CommandContext,
  program: Program,
): CommandResult {
  const path = readKey(key);
  if (context.isBelowAgent && !isProject && GRANTS.has(path[0]))
    throw fault(
      "Required",
      { name: `config ${path[0]}` },
      { hint: "run it yourself, outside the agent" },
    );
  const scope = isProject ? "project" : "user";
  const file = settingsFiles(program)[scope];
  const parsed = value === undefined ? undefined : readSettingValue(path, value);
  editSettings({ file, scope }, path, parsed);
  const done = value === undefined ? `removed ${key} from ${file}` : `set ${key} in ${file}`;
  const text = isProject ? `${done}; it counts after \`adj trust\`` : done;
  return ok(text, { key, value: parsed ?? null, scope, file });
}

const TEXTS: ReadonlySet<string> = new Set(["agent", "agents", "mode", "model", "prefix"]);

function readSettingValue(path: readonly string[], text: string): JsonValue {
  const [first = "", ...rest] = path;
  if (TEXTS.has(first)) return text;
  if (first !== "params" || rest.length === 0) return parseJson(text) ?? text;
  const value = readValue(text);
  const secret = findSecret(rest.join("."), value);
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
