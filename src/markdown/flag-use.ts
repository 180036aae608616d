// What each layer (defaults of the settings, front matter, command line) wants of the agent, key by key.
import {
  type AgentCapabilities,
  type FlagCapability,
  findFlag,
  type Translation,
} from "../agents/capabilities.ts";
import { flagOfKey } from "./flag-name.ts";
import { type FrontMatter, isPlainObject } from "./front-matter-value.ts";
import { isOwnKey, SETTING_KEYS, type SettingName } from "./portable-keys.ts";

/** Lowest first: a later one wins. */
export type UseSource = "settings" | "file" | "flags";

interface UseFacts {
  readonly source: UseSource;
  readonly key: string;
  readonly value: unknown;
  /** The flags it sets, by their first names; empty where it may stand beside others. */
  readonly identities: readonly string[];
}

export interface SettingUse extends UseFacts {
  readonly kind: "setting";
  readonly setting: SettingName;
}

export interface FlagUse extends UseFacts {
  readonly kind: "flag";
  readonly written: string;
  readonly flag: FlagCapability | undefined;
}

export type Use = SettingUse | FlagUse;

/** `null`, `false` and `undefined` take away what a lower layer set. */
export const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false;

/** Whether a key can be a flag, or a setting, of the agent at all. */
export function isAgentKey(
  key: string,
  value: unknown,
  templateVars: ReadonlySet<string>,
): boolean {
  if (isOwnKey(key) || key.startsWith("$") || templateVars.has(key)) return false;
  return !(key === "env" && isPlainObject(value));
}

export interface UseLayer {
  readonly source: UseSource;
  readonly values: FrontMatter;
  readonly templateVars: ReadonlySet<string>;
}

export function listUses(
  { source, values, templateVars }: UseLayer,
  capabilities: AgentCapabilities,
): Use[] {
  return Object.entries(values)
    .filter(([key, value]) => isAgentKey(key, value, templateVars))
    .map(([key, value]): Use => {
      const setting = SETTING_KEYS.get(key);
      if (setting !== undefined) {
        const identities = identitiesOf(setting, value, capabilities);
        return { kind: "setting", source, key, value, setting, identities };
      }
      const written = flagOfKey(key);
      const flag = findFlag(capabilities.flags, written);
      return {
        kind: "flag",
        source,
        key,
        value,
        written,
        flag,
        identities: [flag?.name ?? written],
      };
    });
}

function identitiesOf(
  setting: SettingName,
  value: unknown,
  { flags, settings }: AgentCapabilities,
): string[] {
  const translation = setting === "output_format" ? undefined : settings[setting];
  return flagsOf(translation, value).flatMap((written) => {
    const flag = findFlag(flags, written);
    const mayStandBeside = flag?.isRepeatable === true && translation?.to !== "flag";
    return mayStandBeside ? [] : [flag?.name ?? written];
  });
}

function flagsOf(to: Translation | undefined, value: unknown): string[] {
  switch (to?.to) {
    case "flag":
      return [to.flag];
    case "text":
      return to.fileFlag === null ? [to.flag] : [to.flag, to.fileFlag];
    case "modes": {
      const mode = Object.entries(to.modes).find(([name]) => name === value)?.[1];
      return (mode?.uses ?? []).map(({ flag }) => flag);
    }
    default:
      return [];
  }
}
