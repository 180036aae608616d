// What each layer (params, defaults of the settings, front matter, command line) wants of the agent, key by key.
import {
  type AgentCapabilities,
  type FlagCapability,
  findFlag,
  PORTABLE_SETTINGS,
  type Translation,
} from "../../agents/run/capabilities.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { AGENT_FIELDS, isOwnKey, SETTING_KEYS, type SettingName } from "../file/keys.ts";
import { extractPositionalMappings } from "./builder.ts";
import { flagOfKey, isPlainObject } from "./flag-words.ts";

const KEY_LAYERS = ["settings", "file", "flags"] as const;
/** Lowest first: a later one wins. */
const RANKS = ["params", "settings", "session", "file", "flags"] as const;
export type UseSource = (typeof RANKS)[number];

/** What each layer says, with keys as front matter has them, or as written: `--verbose`. */
export type KeyLayers = Readonly<Record<(typeof KEY_LAYERS)[number], FrontMatter>>;

/** Params that are checked already, by the names of the agent's configuration. */
export type ParamLayers = Readonly<
  Partial<Record<"params" | "session" | "flags", Readonly<Record<string, unknown>>>>
>;

/** Params of an agent's portable settings, as uses like those of front matter. */
export function listParamUses(
  layers: ParamLayers,
  capabilities: AgentCapabilities,
): SettingKeyUse[] {
  if (capabilities.prompt === "none") return [];
  const sources = ["params", "session", "flags"] as const;
  return sources.flatMap((source) =>
    PORTABLE_SETTINGS.flatMap((setting): SettingKeyUse[] => {
      const value = layers[source]?.[setting];
      if (value === undefined) return [];
      const identities = identitiesOf(setting, value, capabilities);
      return [{ kind: "setting", source, key: setting, value, setting, identities }];
    }),
  );
}

interface UseFacts {
  readonly source: UseSource;
  readonly key: string;
  readonly value: unknown;
  /** The flags it sets, by their first names; empty where it may stand beside others. */
  readonly identities: readonly string[];
}

export interface SettingKeyUse extends UseFacts {
  readonly kind: "setting";
  readonly setting: SettingName;
}

export interface FlagKeyUse extends UseFacts {
  readonly kind: "flag";
  readonly written: string;
  readonly flag: FlagCapability | undefined;
}

export type KeyUse = SettingKeyUse | FlagKeyUse;

/** All uses of all layers, the lowest layer first. */
export function listKeyUses(
  layers: KeyLayers,
  capabilities: AgentCapabilities,
  templateVars: ReadonlySet<string>,
): KeyUse[] {
  // An agent that takes no prompt plays what was recorded, whatever it is asked for.
  if (capabilities.prompt === "none") return [];
  return KEY_LAYERS.flatMap((source) =>
    Object.entries(layers[source])
      .filter(([key, value]) => isAgentKey(key, value) && !templateVars.has(key))
      .map(([key, value]) => describeUse({ source, key, value }, capabilities)),
  );
}

/** Whether a key can be a flag, or a setting, of the agent at all. */
function isAgentKey(key: string, value: unknown): boolean {
  if (isOwnKey(key) || AGENT_FIELDS.has(key) || key.startsWith("$")) return false;
  return !(key === "env" && isPlainObject(value));
}

function describeUse(
  written: Pick<UseFacts, "source" | "key" | "value">,
  capabilities: AgentCapabilities,
): KeyUse {
  const { key, value } = written;
  const setting = SETTING_KEYS.get(key);
  if (setting === undefined) return describeFlag(written, flagOfKey(key), capabilities);
  const identities = identitiesOf(setting, value, capabilities);
  return { kind: "setting", ...written, setting, identities };
}

function describeFlag(
  facts: Pick<UseFacts, "source" | "key" | "value">,
  written: string,
  { flags }: AgentCapabilities,
): FlagKeyUse {
  const flag = findFlag(flags, written);
  return { kind: "flag", ...facts, written, flag, identities: [flag?.name ?? written] };
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
    case "json-file":
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

/** The flags that the first so many positions of the command line become. */
export function listMappedUses(
  { settings, file }: KeyLayers,
  capabilities: AgentCapabilities,
  positions: number,
): FlagKeyUse[] {
  return Object.entries({ ...settings, ...file }).flatMap(([key, name]): FlagKeyUse[] => {
    const [position] = extractPositionalMappings({ [key]: name }).keys();
    if (position === undefined || position > positions || typeof name !== "string") return [];
    const written = flagOfKey(name);
    const source = Object.hasOwn(file, key) ? "file" : "settings";
    const use = describeFlag({ source, key, value: written }, written, capabilities);
    // Its value is not looked at here: it is the body, or a word that is still to come.
    const flag = use.flag && { name: use.flag.name, takes: use.flag.takes };
    return [{ ...use, flag }];
  });
}

/** Flags are the same when the agent takes them for the same: `m`, `--model` and the setting `model`. */
export const isSameUse = (one: KeyUse, other: KeyUse): boolean =>
  one.key === other.key ||
  (one.kind === "setting" && other.kind === "setting" && one.setting === other.setting) ||
  one.identities.some((flag) => other.identities.includes(flag));

/** A position that is given as a flag stands on the command line, so it wins over the file. */
const rankOf = ({ source, key }: KeyUse): number =>
  key.startsWith("$") ? RANKS.length : RANKS.indexOf(source);

export const isOverridden = (use: KeyUse, all: readonly KeyUse[]): boolean =>
  all.some((other) => rankOf(other) > rankOf(use) && isSameUse(use, other));
