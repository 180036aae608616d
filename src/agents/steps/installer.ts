// What is known of where and how one agent keeps its hooks. Pure; reading and writing is done elsewhere.
import { join } from "node:path";
import type { $ZodType } from "zod/v4/core";
import type { JsonRecord } from "../../core/project/json-value.ts";
import type { StepName } from "../../core/step/step.ts";
import type { HookAbilities, StepEvent } from "./hook-agent.ts";
import type { WriteSample } from "./sample-step.ts";

export const INSTALL_SCOPES = ["user", "project"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** Hooks may also stand in the layer of an administrator. */
export const HOOK_SCOPES = [...INSTALL_SCOPES, "managed"] as const;
export type HookScope = (typeof HOOK_SCOPES)[number];

export interface InstallContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project's root. */
  readonly root: string;
  /** What stands for `/` where an administrator's files lie; tests have another. */
  readonly systemRoot?: string;
}

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Variables that headers may name. */
  readonly variables: readonly string[];
}

/** What an entry calls, and how. */
export interface EntryRequest {
  /** The shell line that the agent runs. */
  readonly command: string;
  /** The client and its words, to which the event is added; absent where the line is all there is. */
  readonly client?: readonly string[];
  /** The same without a shell, for agents that can start a program themselves. */
  readonly exec?: readonly string[];
  /** By event, what a shell line prints where its program is not there; the others then pass. */
  readonly refusals?: ReadonlyMap<string, string>;
  /** How long the agent waits for it. */
  readonly limitMs: number;
  /** How long it waits where a person may be asked, and what the entry then says to its program. */
  readonly heldLimitMs?: number;
  /** Steps at which a guard must not be passed over when the hook itself fails. */
  readonly guarded: ReadonlySet<StepName>;
  /** Null for the command client everywhere. */
  readonly http: HttpTarget | null;
  /** Session start alone. */
  readonly isShimsOnly: boolean;
}

interface InstallerBase {
  readonly agent: string;
  readonly abilities: HookAbilities;
  /** The agent's own variables are honoured. */
  configFile(scope: InstallScope, target: InstallContext): string;
  /** The layer over which a repository has no word, or why there is none and what to do instead. */
  readonly managed: ManagedLayer | string;
  /** A file that the agent wants to start well with ours; written where there is none, taken back as it was. */
  companion?(file: string): CompanionFile;
  /** Why the agent is slow to start with ours in this project, a sentence each, for doctor. */
  judgeStart?(target: InstallContext): readonly string[];
  /** A step as the agent would tell it to the entry. */
  readonly writeSample: WriteSample;
  /** Without the program that an entry calls the agent denies every tool; others then run them all. */
  readonly blocksWithoutProgram: boolean;
  /** Who has the last word where hooks of others stand beside ours; null where an `allow` of theirs undoes nothing. */
  readonly besideOthers: string | null;
  readonly neighbours?: NeighbourFiles;
  /** The `protocol` by which a rule runs the scripts that stand in its file; absent where no rule can. */
  readonly protocol?: string;
  /** Files of other agents whose hooks it runs as well. */
  alsoRuns?(target: InstallContext): readonly string[];
  /** What the person must still do for the agent to call the hook. */
  nextSteps(scope: InstallScope): readonly string[];
  /** Nothing else is kept in the file, so it goes with the last entry. */
  readonly ownsFile: boolean;
}

interface CompanionFile {
  readonly file: string;
  readonly text: string;
}

interface ManagedLayer {
  file(target: InstallContext): string;
  /** What must stand beside the entries for no other layer to switch them off. */
  readonly settings?: readonly ForcedSetting[];
  companion?(file: string): CompanionFile;
  /** What a repository can do all the same: how `hooksOff` words it, and what is told at the install. */
  readonly gap?: { readonly why: RegExp; readonly nextStep: string };
}

/** A setting outside `hooks`, by its path in the file. */
interface ForcedSetting {
  readonly path: string[];
  readonly value: boolean;
}

/** Files of other people that the agent reads beside one that is all ours. */
interface NeighbourFiles {
  /** Those in the same folder with such a name. */
  readonly beside: RegExp;
  /** By path from the folder above. */
  readonly above: readonly string[];
  /** Only files with an entry for one of these count; without a list all do. */
  readonly events?: readonly string[];
}

/** Measured on the real CLIs: what an agent cannot read it mostly passes over without a word. */
export interface ConfigSyntax {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** Whether a byte order mark may stand before it. */
  readonly mark: boolean;
}

/** An agent that has its hooks in a JSON file, below `hooks`, by event. */
export interface EntryInstaller extends InstallerBase {
  readonly kind: "entries";
  readonly events: readonly StepEvent[];
  /** What the agent's own reader takes beside plain JSON. */
  readonly syntax: ConfigSyntax;
  /** What a new file begins with. */
  readonly seed: JsonRecord;
  readonly canHttp: boolean;
  readonly settings?: readonly ForcedSetting[];
  /** From this version on it starts a program without a shell, which costs less than half of it. */
  readonly execSince?: string;
  /** Whether an entry blocks when the hook itself fails, for agents that can be told so. */
  isFailClosed?(entry: JsonRecord): boolean;
  makeEntry(event: StepEvent, request: EntryRequest): JsonRecord;
  /** What the agent itself would refuse, or would void the whole file for. */
  readonly schema: $ZodType;
}

export interface PluginFacts {
  /** What counts where the plugin finds neither the client nor what lies beside it. */
  readonly isGuarded: boolean;
  /** How long it waits where a person may be asked. */
  readonly askLimitMs: number;
}

/** An agent that runs a file of code. */
export interface PluginInstaller extends InstallerBase {
  readonly kind: "plugin";
  /** `client` is the program it starts for a step, with its words before the name of the agent. */
  makeSource(client: readonly string[], facts: PluginFacts): Promise<string>;
  readonly ownsFile: true;
}

export type HookInstaller = EntryInstaller | PluginInstaller;

/** The installer for a layer; null where the agent has none for an administrator. */
export function installerFor(installer: HookInstaller, scope: HookScope): HookInstaller | null {
  if (scope !== "managed") return installer;
  const { managed } = installer;
  if (typeof managed === "string") return null;
  const { file, gap, ...rest } = managed;
  const nextSteps = () => (gap === undefined ? [] : [gap.nextStep]);
  return { ...installer, ...rest, configFile: (_, target) => file(target), nextSteps };
}

/** A file of the system, by its absolute path. */
export const systemFile = ({ systemRoot = "/" }: InstallContext, path: string): string =>
  join(systemRoot, path);

/** The events that are written for a request. */
export const eventsFor = (
  { events }: Pick<EntryInstaller, "events">,
  { isShimsOnly }: Pick<EntryRequest, "isShimsOnly">,
): readonly StepEvent[] =>
  isShimsOnly ? events.filter(({ step }) => step === "session_start") : events;

/** The folder that a variable of the agent names, else the usual one below home. */
export const agentHome = ({ env, home }: InstallContext, variable: string, usual: string): string =>
  env[variable] || join(home, usual);

/** In the folder of that name, the project's or the agent's own. */
export const configIn =
  (folder: string, variable: string, file: string): HookInstaller["configFile"] =>
  (scope, target) =>
    join(
      scope === "project" ? join(target.root, folder) : agentHome(target, variable, folder),
      file,
    );

export const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000);

// What is known of where one agent keeps the MCP servers that it starts, and how an entry for ours reads there. Pure.

/** What our server is called in every agent's file, and so in the names of its tools. */
export const SERVER_NAME = "adjutant";

export interface McpInstaller {
  readonly agent: string;
  /** Where it reads servers from: the first that is there is taken, else the first. */
  configFiles(scope: InstallScope, target: InstallContext): readonly [string, ...string[]];
  /** TOML is written as a table of its own at the end of the file. */
  readonly syntax: ConfigSyntax | "toml";
  /** Where in the file servers stand, by name. */
  readonly key: string;
  /** `words` start the server: the program first. */
  makeEntry(words: readonly [string, ...string[]]): JsonRecord;
  /** Why the agent would not start a project's server as things are, for doctor; null where nothing is known to hinder it. */
  whyNotStarted?(target: InstallContext): Promise<string | null>;
  /** What the person must still do for the agent to start it, or to let it be called. */
  nextSteps(scope: InstallScope): readonly string[];
}

/** The words by which an entry starts its server, in any agent's form; none where it starts no program. */
export function wordsOfServer({ command, args }: JsonRecord): readonly string[] {
  const words = [command, args].flat().filter((word) => word !== undefined);
  return words.every((word) => typeof word === "string") ? words : [];
}

/** `adj mcp` by any path, with any flags. */
export function isOurServer(entry: JsonRecord): boolean {
  const [program, word] = wordsOfServer(entry);
  return program !== undefined && /(?:^|\/)adj$/.test(program) && word === "mcp";
}

/** For agents that keep servers in the file of their hooks. */
export const serversBeside = (
  { agent, configFile, syntax }: EntryInstaller,
  nextSteps: McpInstaller["nextSteps"],
): McpInstaller => ({
  agent,
  configFiles: (scope, target) => [configFile(scope, target)],
  syntax,
  key: "mcpServers",
  makeEntry: (words) => plainServer(words),
  nextSteps,
});

/** Most agents: a program and its words. */
export const plainServer = (
  [command, ...args]: readonly [string, ...string[]],
  more: JsonRecord = {},
): JsonRecord => ({ ...more, command, args });
