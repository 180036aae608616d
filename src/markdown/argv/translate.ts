// Defaults, front matter and command line → the agent's flags as words, and the settings that its
// adapter translates. Pure; the one place that knows both an agent's flags and a user's keys.
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { isOwnKey, LIST_SETTINGS, NUMBER_SETTINGS, type SettingName } from "../file/keys.ts";
import { extractEnvVars, extractPositionalMappings } from "./builder.ts";
import { flagWords, isNothing, isPlainObject } from "./flag-words.ts";
import { type FlagProblem, findConflicts, findUseProblem, type TargetAgent } from "./problems.ts";
import {
  type FlagKeyUse,
  isOverridden,
  type KeyLayers,
  type KeyUse,
  listKeyUses,
  listMappedUses,
  listParamUses,
  type ParamLayers,
} from "./uses.ts";

export interface TranslationRequest {
  readonly agent: TargetAgent;
  /** `settings` are the defaults of this agent's program. */
  readonly layers: KeyLayers;
  readonly params?: ParamLayers;
  readonly templateVars: ReadonlySet<string>;
  /** How many positions there will be, the body included. */
  readonly positions: number;
  readonly forceFlags: boolean;
  /** The command's own flags, one of which may have been meant. */
  readonly commandFlags: readonly string[];
}

export interface TranslatedFrontMatter {
  readonly kind: "translated";
  /** The agent's own flags and their values. */
  readonly args: readonly string[];
  /** Variables that the file sets for the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the agent must not be given. */
  readonly unsetEnv: readonly string[];
  /** For the adapter, by the names of its configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Position → the flag it becomes, as it was written. */
  readonly mappings: ReadonlyMap<number, string>;
}

export type FrontMatterTranslation =
  | TranslatedFrontMatter
  | { readonly kind: "refused"; readonly problems: readonly FlagProblem[] };

export function translateFrontMatter(request: TranslationRequest): FrontMatterTranslation {
  const { agent, layers, templateVars, positions, params = {} } = request;
  const mapped = listMappedUses(layers, agent.capabilities, positions);
  const uses = listKeyUses(layers, agent.capabilities, templateVars);
  const fromParams = listParamUses(params, agent.capabilities);
  const all = [...fromParams, ...uses, ...mapped];
  const kept = new Set(uses.filter((use) => !isOverridden(use, all)));
  const keptParams = fromParams.filter((use) => !isOverridden(use, all));
  const problems = [
    ...findForeignKeys(request),
    ...findConflicts(uses),
    ...[...kept, ...mapped].map((use) => findUseProblem(use, request)),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return { kind: "refused", problems };
  const merged = {
    ...ownKeys(agent, params.params),
    ...layers.settings,
    ...ownKeys(agent, params.session),
    ...layers.file,
    ...ownKeys(agent, params.flags),
    ...layers.flags,
  };
  return {
    kind: "translated",
    args: writeArguments(uses, kept),
    env: extractEnvVars(merged),
    unsetEnv: listUnset(merged.env),
    settings: { ...readOwnFields(agent, merged), ...readSettings([...keptParams, ...kept]) },
    mappings: extractPositionalMappings({ ...layers.settings, ...layers.file }),
  };
}

function findForeignKeys({ layers: { flags }, agent }: TranslationRequest): FlagProblem[] {
  const own = new Set(agent.ownFields.map(keyOfField));
  return Object.keys(flags)
    .filter((key) => isOwnKey(key) && !own.has(key))
    .map((key) => ({
      source: "flags",
      path: [key],
      part: "key",
      message: `\`--param\` cannot set \`${key}\`: it belongs in the file`,
      hint: null,
    }));
}

/** Params of fields that only this agent has, with keys as front matter has them. */
function ownKeys(
  { ownFields }: TargetAgent,
  params: Readonly<Record<string, unknown>> = {},
): FrontMatter {
  const own = ownFields.filter((field) => params[field] !== undefined);
  return Object.fromEntries(own.map((field) => [keyOfField(field), params[field]]));
}

const keyOfField = (field: string): string => field.replaceAll("_", "-");

/** A key that several layers set is written once, by the highest of them, where the lowest has it. */
function writeArguments(uses: readonly KeyUse[], kept: ReadonlySet<KeyUse>): string[] {
  const words = new Map<string, readonly string[]>();
  for (const use of uses) {
    if (use.kind === "setting") continue;
    if (!kept.has(use)) words.set(use.key, []);
    else for (const [key, written] of writeFlag(use)) words.set(key, written);
  }
  return [...words.values()].flat();
}

/** A variadic or optional flag keeps its value in the same word, and so does a value that begins with a dash. */
function writeFlag({ key, value, written, flag }: FlagKeyUse): [string, string[]][] {
  if (isNothing(value) || value === true) return [[key, flagWords(written, value)]];
  const values: string[] = (Array.isArray(value) ? value : [value]).map(String);
  const isJoined =
    flag?.takes === "list" ||
    flag?.takes === "optional" ||
    values.some((one) => one.startsWith("-"));
  if (!isJoined || !written.startsWith("--")) return [[key, flagWords(written, values)]];
  return values.map((one) => [`${written}=${one}`, [`${written}=${one}`]]);
}

function readSettings(kept: Iterable<KeyUse>): Record<string, unknown> {
  const settings = [...kept].flatMap((use): [SettingName, unknown][] =>
    use.kind === "setting" && !isNothing(use.value)
      ? [[use.setting, readSetting(use.setting, use.value)]]
      : [],
  );
  return Object.fromEntries(settings);
}

function readSetting(setting: SettingName, value: unknown): unknown {
  if (LIST_SETTINGS.has(setting)) return Array.isArray(value) ? value : [value];
  const isNumber =
    NUMBER_SETTINGS.has(setting) && typeof value === "string" && /^-?[\d.]+$/.test(value);
  return isNumber ? Number(value) : value;
}

function readOwnFields({ ownFields }: TargetAgent, merged: FrontMatter): Record<string, unknown> {
  const fields = ownFields.map((field) => [field, merged[keyOfField(field)]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}

const listUnset = (env: unknown): string[] =>
  isPlainObject(env) ? Object.keys(env).filter((name) => env[name] === null) : [];
