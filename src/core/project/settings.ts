// The settings of `config.yaml` as the rest of the program reads them.
import type { ApprovalMode, JsonValue } from "../command/context.ts";
import { nearestNames } from "../command/names.ts";

/** What one `config.yaml` says, its names as they stand in the file; plain data, kept in the index. */
export interface SettingsFile {
  readonly adjutant?: 1 | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly params?: Readonly<Record<string, JsonValue>> | undefined;
  readonly plugins?: readonly string[] | undefined;
  readonly requires_plugins?: readonly string[] | undefined;
  readonly prefix?: string | undefined;
  readonly agents?: Readonly<Record<string, { readonly path: string }>> | undefined;
  readonly mode?: ApprovalMode | undefined;
  readonly allow?: readonly AllowRule[] | undefined;
  readonly inbox?: { readonly hold?: string | undefined } | undefined;
  readonly commands?: CommandDefaults | undefined;
  readonly import_hosts?: readonly string[] | undefined;
}

/** A shell line as a glob, or a rule as in `match` of a hook. */
type AllowRule = string | Readonly<Record<string, JsonValue>>;

/** Front matter that every Markdown command has for an agent, by its executable: `claude`. */
type CommandDefaults = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

export interface Settings {
  readonly agent: string | null;
  readonly model: string | null;
  readonly params: Readonly<Record<string, JsonValue>>;
  /** npm packages the user enabled. */
  readonly plugins: readonly string[];
  /** npm packages the project needs and cannot enable. */
  readonly requiresPlugins: readonly string[];
  /** What turns a command's name into its virtual one inside an agent. */
  readonly prefix: string;
  readonly agents: Readonly<Record<string, { readonly path: string }>>;
  readonly mode: ApprovalMode;
  /** What passes unasked in mode `allowlist`. */
  readonly allow: readonly AllowRule[];
  /** `hold`: how long a hook's question waits for a person, by the user's word alone. */
  readonly inbox: Readonly<Record<string, string>>;
  readonly commands: CommandDefaults;
  /** Hosts that a Markdown command may import from. */
  readonly importHosts: readonly string[];
}

/** Everything that an agent is called, with its name. */
export type AgentWords = Readonly<Record<string, string>>;

/** The names of the agents that may be meant by a word that no agent is called. */
export const nearestByWords = (word: string, words: AgentWords): readonly string[] => [
  ...new Set(nearestNames(word, Object.keys(words)).map((one) => words[one] ?? one)),
];

export type SettingsScope = "user" | "project";

export const DEFAULT_PREFIX = "adj-";

/** The project's word counts over the user's; maps are merged key by key. */
export function mergeSettings(user: SettingsFile, project: SettingsFile): Settings {
  return {
    agent: project.agent ?? user.agent ?? null,
    model: project.model ?? user.model ?? null,
    params: { ...user.params, ...project.params },
    plugins: user.plugins ?? [],
    requiresPlugins: project.requires_plugins ?? [],
    prefix: project.prefix ?? user.prefix ?? DEFAULT_PREFIX,
    agents: { ...user.agents, ...project.agents },
    mode: project.mode ?? user.mode ?? "ask",
    allow: [...(user.allow ?? []), ...(project.allow ?? [])],
    inbox: user.inbox?.hold === undefined ? {} : { hold: user.inbox.hold },
    commands: mergeDefaults(user.commands ?? {}, project.commands ?? {}),
    importHosts: [...(user.import_hosts ?? []), ...(project.import_hosts ?? [])],
  };
}

const mergeDefaults = (user: CommandDefaults, project: CommandDefaults): CommandDefaults =>
  Object.fromEntries(
    Object.keys({ ...user, ...project }).map((name) => [name, { ...user[name], ...project[name] }]),
  );
