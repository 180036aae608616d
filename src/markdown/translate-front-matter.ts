// Defaults, front matter and command line → what the builder is given, and the settings that the
// agent's adapter translates. Pure; the one place that knows both an agent's flags and a user's keys.
import { extractPositionalMappings } from "./builder.ts";
import { type AgentTerms, type FlagProblem, findUseProblem } from "./flag-problem.ts";
import { isAgentKey, isNothing, listUses, type Use, type UseSource } from "./flag-use.ts";
import { type BuilderConfig, type FrontMatter, isPlainObject } from "./front-matter-value.ts";
import { listMappedUses } from "./mapped-use.ts";
import { findConflicts, isOverridden } from "./merge-uses.ts";
import {
  AGENT_FIELDS,
  isOwnKey,
  LIST_SETTINGS,
  NUMBER_SETTINGS,
  type SettingName,
} from "./portable-keys.ts";

export interface TranslationRequest {
  readonly agent: AgentTerms;
  readonly config: BuilderConfig;
  readonly frontMatter: FrontMatter;
  /** The command line's, with keys as front matter has them, or as written: `--verbose`. */
  readonly flags: FrontMatter;
  readonly templateVars: ReadonlySet<string>;
  /** How many positions there will be, the body included. */
  readonly positions: number;
  readonly forceFlags: boolean;
  /** The command's own flags, one of which may have been meant. */
  readonly commandFlags: readonly string[];
}

export interface TranslatedFrontMatter {
  readonly kind: "translated";
  /** Without Adjutant's keys, and with nothing that the agent does not take. */
  readonly frontMatter: FrontMatter;
  readonly config: BuilderConfig;
  /** For the adapter, by the names of its configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Variables that the agent must not be given. */
  readonly unsetEnv: readonly string[];
  /** Position → the flag it becomes, as it was written. */
  readonly mappings: ReadonlyMap<number, string>;
}

export type FrontMatterTranslation =
  | TranslatedFrontMatter
  | { readonly kind: "refused"; readonly problems: readonly FlagProblem[] };

export function translateFrontMatter(request: TranslationRequest): FrontMatterTranslation {
  const { agent, frontMatter, flags, config } = request;
  const { commands = {} } = config;
  const defaults = Object.hasOwn(commands, agent.executable)
    ? (commands[agent.executable] ?? {})
    : {};
  const values = { settings: defaults, file: frontMatter, flags };
  const mapped = listMappedUses(values, request);
  const uses = listAllUses(values, request);
  const kept = uses.filter((use) => !isOverridden(use, [...uses, ...mapped]));
  const problems = [
    ...findForeignKeys(request),
    ...findConflicts(uses),
    ...[...kept, ...mapped].map((use) => findUseProblem(use, request)),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return { kind: "refused", problems };
  const merged = { ...defaults, ...frontMatter, ...flags };
  return {
    kind: "translated",
    ...writePlain(values, { uses, kept }, request),
    settings: { ...readOwnFields(agent, merged), ...readSettings(kept) },
    unsetEnv: listUnset(merged.env),
    mappings: extractPositionalMappings({ ...defaults, ...frontMatter }),
  };
}

export interface LayerValues {
  readonly settings: FrontMatter;
  readonly file: FrontMatter;
  readonly flags: FrontMatter;
}

const ownKeysOf = ({ ownFields }: AgentTerms): string[] =>
  ownFields.map((field) => field.replaceAll("_", "-"));

function listAllUses(values: LayerValues, { agent, templateVars }: TranslationRequest): Use[] {
  // What takes no prompt plays what was recorded, whatever it is asked for.
  if (agent.capabilities.prompt === "none") return [];
  const apart = new Set([...templateVars, ...AGENT_FIELDS]);
  return (["settings", "file", "flags"] as const).flatMap((source) =>
    listUses({ source, values: values[source], templateVars: apart }, agent.capabilities),
  );
}

function findForeignKeys({ flags, agent }: TranslationRequest): FlagProblem[] {
  const own = new Set(ownKeysOf(agent));
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

interface Kept {
  readonly uses: readonly Use[];
  readonly kept: readonly Use[];
}

/** Each layer without what another one overrides, so that merging them by key is merging them by flag. */
function writePlain(
  values: LayerValues,
  { uses, kept }: Kept,
  { agent, templateVars }: TranslationRequest,
): Pick<TranslatedFrontMatter, "frontMatter" | "config"> {
  const isAside = ([key, value]: [string, unknown]): boolean =>
    !isOwnKey(key) && !AGENT_FIELDS.has(key) && !isAgentKey(key, value, templateVars);
  const write = (source: UseSource, above: FrontMatter): FrontMatter => {
    const mine = uses.filter((use) => use.source === source);
    const flags = mine.flatMap((use): [string, unknown][] => {
      if (kept.includes(use)) return writeUse(use);
      // Written by a higher layer under the same key: it keeps its place here.
      return use.kind === "flag" && Object.hasOwn(above, use.key) ? [[use.key, null]] : [];
    });
    return Object.fromEntries([...Object.entries(values[source]).filter(isAside), ...flags]);
  };
  const flags = write("flags", {});
  const frontMatter = { ...write("file", flags), ...flags };
  const defaults = write("settings", frontMatter);
  return { frontMatter, config: { commands: { [agent.executable]: defaults } } };
}

/** A variadic or optional flag keeps its value in the same word, and so does a value that begins with a dash. */
function writeUse(use: Use): [string, unknown][] {
  if (use.kind === "setting") return [];
  const { key, value, written, flag } = use;
  if (isNothing(value) || value === true) return [[key, value]];
  const values: string[] = (Array.isArray(value) ? value : [value]).map(String);
  const isJoined =
    flag?.takes === "list" ||
    flag?.takes === "optional" ||
    values.some((one) => one.startsWith("-"));
  if (isJoined && written.startsWith("--")) return values.map((one) => [`${written}=${one}`, true]);
  return [[key, Array.isArray(value) ? values : value]];
}

function readSettings(kept: readonly Use[]): Record<string, unknown> {
  const settings = kept.flatMap((use): [SettingName, unknown][] =>
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

function readOwnFields({ ownFields }: AgentTerms, merged: FrontMatter): Record<string, unknown> {
  const fields = ownFields.map((field) => [field, merged[field.replaceAll("_", "-")]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}

const listUnset = (env: unknown): string[] =>
  isPlainObject(env) ? Object.keys(env).filter((name) => env[name] === null) : [];
