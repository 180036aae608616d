// What an agent's command line can do, as data: which flags it has in which version and how they
// are written, what each of Adjutant's portable settings becomes there, what else it speaks.

export interface FlagCapability {
  /** The long form, or the only one. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** `list` is variadic: it swallows all words up to the next flag, so it is written `--flag=value`. */
  readonly takes: "nothing" | "value" | "optional" | "list";
  readonly isRepeatable?: boolean;
  readonly choices?: readonly string[];
  /** The first version that has it. */
  readonly since?: string;
}

/** One use of a flag; a flag that takes nothing is `true`. */
export interface WrittenFlag {
  readonly flag: string;
  readonly value: string | true;
}

/** What one portable setting becomes on this agent. */
export type Translation =
  /** The prefix goes before a path, where the flag takes JSON text too. */
  | { readonly to: "flag"; readonly flag: string; readonly pathPrefix?: string }
  /** A long text goes into a file, which the second flag takes. */
  | { readonly to: "text"; readonly flag: string; readonly fileFlag: string | null }
  /** `-c key="value"`, the value as TOML; or the path of a file that holds it. */
  | { readonly to: "config"; readonly flag: string; readonly key: string; readonly byFile: boolean }
  | { readonly to: "env"; readonly name: string; readonly byFile: boolean }
  /** The flag takes the path of a file that holds it as JSON. */
  | { readonly to: "json-file"; readonly flag: string }
  | { readonly to: "modes"; readonly modes: Readonly<Record<string, PermissionModeFlags>> }
  /** The adapter's own code writes it. */
  | { readonly to: "own" };

/** A permission mode in this agent's own flags. */
export interface PermissionModeFlags {
  readonly uses: readonly WrittenFlag[];
  /** The CLI refuses it for root, unless this variable is set. */
  readonly refusedForRootWithout?: string;
}

export const PORTABLE_SETTINGS = [
  "agent_name",
  "model",
  "system_prompt",
  "append_system_prompt",
  "permission_mode",
  "allowed_tools",
  "disallowed_tools",
  "max_tokens",
  "temperature",
  "max_turns",
  "mcp_config",
  "settings",
  "resume",
  "add_dirs",
  "effort",
  "output_schema",
] as const;

export type PortableSetting = (typeof PORTABLE_SETTINGS)[number];

export interface AgentCapabilities {
  readonly flags: readonly FlagCapability[];
  /** Flags the adapter sets itself; nobody else may. */
  readonly ownFlags: readonly string[];
  readonly settings: Readonly<Partial<Record<PortableSetting, Translation>>>;
  /** How the prompt reaches the program. */
  readonly prompt: "stdin" | "argument" | "none";
  /** It takes further words behind its flags. */
  readonly takesWords?: boolean;
  /** The first is used unless another is asked for. */
  readonly outputFormats: readonly string[];
  /** It says what a run cost. */
  readonly statesCost?: boolean;
  /** What only a run of one prompt takes: with one of these set, each prompt is a run of its own that goes on by id. */
  readonly headlessOnly?: readonly PortableSetting[];
  /** It takes schemas of answers only in OpenAI's strict form. */
  readonly strictSchemas?: boolean;
  /** False where nothing is known of its tools, as with any program. */
  readonly hasTools?: boolean;
  /** A prompt can hold images. */
  readonly hasImages?: boolean;
  readonly canResume: boolean;
  readonly hasHooks: boolean;
  readonly hasMcp: boolean;
  /** The words that start it as an ACP server, or null. */
  readonly acp: readonly string[] | null;
  /** Known models, or null where the CLI cannot list them. */
  readonly models: readonly string[] | null;
  /** The words by which the program lists its models, a line each, where it knows them all. */
  readonly modelsArgs?: readonly string[];
}

/** What can be said of an agent of which nothing is known but that it takes a prompt. */
export const NO_CAPABILITIES: AgentCapabilities = {
  flags: [],
  ownFlags: [],
  settings: {},
  prompt: "stdin",
  outputFormats: ["text"],
  canResume: false,
  hasHooks: false,
  hasMcp: false,
  acp: null,
  models: null,
};

/** What every coding agent's own CLI has; what differs from it stands behind it. */
export const CODING_AGENT = {
  prompt: "stdin",
  hasImages: true,
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: null,
  models: null,
} as const satisfies Partial<AgentCapabilities>;

/** A mode that is one value of one flag. */
export const modeOf =
  (flag: string) =>
  (value: string): PermissionModeFlags => ({ uses: [{ flag, value }] });

/** Finds a flag by any of its names; `--flag=value` is looked up as `--flag`. */
export function findFlag(
  flags: readonly FlagCapability[],
  written: string,
): FlagCapability | undefined {
  const name = written.startsWith("--") ? (written.split("=", 1)[0] ?? written) : written;
  return flags.find((flag) => flag.name === name || flag.aliases?.includes(name));
}

/** The flags that this version has; all of them where the version is not known. */
export function flagsOfVersion(
  flags: readonly FlagCapability[],
  version: string | null,
): readonly FlagCapability[] {
  if (version === null) return flags;
  return flags.filter(({ since }) => since === undefined || compareVersions(version, since) >= 0);
}

/** Below zero when the left one is older. Pre-release marks are not looked at. */
export function compareVersions(left: string, right: string): number {
  const parts = (version: string) => version.split(/[.+-]/, 3).map((part) => Number(part) || 0);
  const [leftParts, rightParts] = [parts(left), parts(right)];
  for (let at = 0; at < 3; at++) {
    const difference = (leftParts[at] ?? 0) - (rightParts[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A flag as words of a command line; a variadic or optional one keeps its value in the same word. */
export function writeFlag(
  flags: readonly FlagCapability[],
  { flag, value }: WrittenFlag,
): string[] {
  if (value === true) return [flag];
  const takes = findFlag(flags, flag)?.takes;
  const isJoined = takes === "list" || takes === "optional" || value.startsWith("-");
  return isJoined && flag.startsWith("--") ? [`${flag}=${value}`] : [flag, value];
}

interface FlagLists {
  readonly nothing?: string;
  readonly value?: string;
  readonly optional?: string;
  readonly list?: string;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A flag table from lists of words, one list for each arity. A word is the flag, further names after
 * commas, `*` where it may be repeated, `@` and the first version known to have it.
 *
 * @example
 * defineFlags({ nothing: "--continue,-c --cloud@2.1.325", list: "--add-dir*" });
 */
export function defineFlags(lists: FlagLists): readonly FlagCapability[] {
  const arities = ["nothing", "value", "optional", "list"] as const;
  return arities.flatMap((takes) =>
    (lists[takes]?.split(/\s+/) ?? [])
      .filter((written) => written !== "")
      .map((written) => defineFlag(written, takes, lists.choices ?? {})),
  );
}

function defineFlag(
  written: string,
  takes: FlagCapability["takes"],
  choices: Readonly<Record<string, readonly string[]>>,
): FlagCapability {
  const [names = "", since] = written.split("@");
  const [name = "", ...aliases] = names.replace("*", "").split(",");
  const allowed = choices[name];
  return {
    name,
    takes,
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(names.endsWith("*") ? { isRepeatable: true } : {}),
    ...(allowed === undefined ? {} : { choices: allowed }),
    ...(since === undefined ? {} : { since }),
  };
}
