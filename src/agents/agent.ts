// The contract of an agent: what must be known of it without loading it, and its facets, each loaded when it is
// needed. An agent is one folder with such a description in `agent.ts`, and one line in the roster.
import type { IncomingHttpHeaders } from "node:http";
import type { NativeFormat } from "./native/format.ts";
import type { AgentAdapter } from "./run/adapter.ts";
import type { ConversationProtocol, StepHook, StepHookEntry } from "./run/conversation.ts";
import type { HookAgent } from "./steps/hook-agent.ts";
import type { HookInstaller, McpInstaller } from "./steps/installer.ts";
import type { ToolTable } from "./steps/tool-table.ts";

export interface Agent {
  readonly name: string;
  /** What else it is called: by people, in the names of files, as a program; the program it is run by has one of its names. */
  readonly aliases: readonly string[];
  /** Where no agent is named the first that is found is taken, lowest number first; a new one comes last. */
  readonly searchOrder: number;
  /** Variables that it sets for what it starts. */
  readonly marks: readonly string[];
  /** The npm packages that it is installed by, its native binaries' too. */
  readonly packages?: readonly string[];
  /** Its own variables that say where it keeps its files. */
  readonly homeVariables: readonly string[];
  /** Others of its variables that name settings. */
  readonly settingsVariables?: readonly string[];
  /** The files that say which hooks it calls, and whether it calls any. */
  readonly settings?: (context: SettingsContext) => SettingsFiles;
  /**
   * The folders of a project whose settings it reads: that in which it is started, or every one from there up to the root;
   * absent where it is the root wherever it is started.
   */
  readonly projectFolders?: "start" | "between";
  /** Why its settings, of one file, keep it from calling hooks; null where they do not. */
  readonly hooksOff?: (settings: Readonly<Record<string, unknown>>) => string | null;
  /** Why an administrator's settings keep it from calling all hooks but the administrator's. */
  readonly onlyManagedHooks?: (settings: Readonly<Record<string, unknown>>) => string | null;
  /** Variables by which it calls no hooks, and whether it takes them from a project's settings and `variableFiles`. */
  readonly hooksOffVariables?: { readonly names: readonly string[]; readonly byProject: boolean };
  /** Calls of its program, without their prompts, that change its settings or start it with others. */
  readonly settingsCalls?: RegExp;
  /** Files of a project whose variables it takes into its own environment, and so into that of its hooks. */
  readonly variableFiles?: readonly string[];
  /** Where it keeps workflow scripts: a project's below any of its folders, and a person's own. */
  readonly workflows?: (context: Omit<SettingsContext, "root">) => {
    readonly project: string;
    readonly user: string;
  };
  /** Where it keeps definitions of agents of a kind, as Markdown whose body is what such an agent is told. */
  readonly agentTypes?: (context: Omit<SettingsContext, "root">) => {
    readonly project: string;
    readonly user: string;
  };
  /** The tool by which its model gives an answer that must fit a schema: it does nothing else. */
  readonly answerTool?: string;
  /** Files of a project, beside its settings, by which it starts servers. */
  readonly projectServers?: readonly string[];
  /** How it is started without a project's own hooks and servers; absent where it cannot be. */
  readonly withoutProject?: (root: string) => ProjectLeftOut;
  /** For agents that skip hooks until a person has trusted them. */
  readonly hookTrust?: () => Promise<AskHookTrust>;
  /** What it tells its hooks by variables: project, session, files to write to. */
  readonly hookVariables: readonly string[];
  /** The one of them that has the name of the session. */
  readonly sessionVariable?: string;
  readonly borrows?: BorrowedEntries;
  /** Whatever its hook prints on stderr it takes for an answer, or shows to the model. */
  readonly readsStderr?: boolean;
  /** Fields of a run's configuration that few other agents have, or none. */
  readonly ownFields?: readonly string[];
  readonly run: () => Promise<AgentAdapter>;
  /** A process that stays over many prompts, in the way this agent does it best. */
  readonly conversation?: () => Promise<ConversationProtocol>;
  /** Hooks for one run of it alone, by files below the folder of the run's log. */
  readonly stepHooks?: () => Promise<(hook: StepHook, logDir: string) => StepHookEntry>;
  readonly tools?: () => Promise<ToolTable>;
  readonly hooks?: () => Promise<HookAgent>;
  readonly install?: () => Promise<HookInstaller>;
  /** Where it keeps the MCP servers that it starts. */
  readonly mcp?: () => Promise<McpInstaller>;
  readonly nativeCommands?: () => Promise<NativeFormat>;
  readonly sim?: () => Promise<SimSetup>;
}

export interface ProjectLeftOut {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The hooks that it knows, each with its trust in the agent's own word; null where it did not say. */
export type AskHookTrust = (query: {
  readonly program: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}) => Promise<readonly { readonly command: string; readonly trust: string }[] | null>;

export interface SettingsContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project's root. */
  readonly root: string;
  /** Where the agent is started; the root where it is absent. */
  readonly cwd?: string;
}

/** Absolute, files and folders, in the order in which the agent reads them. */
interface SettingsFiles {
  readonly user: readonly string[];
  readonly project: readonly string[];
  /** What an administrator decides, over which nobody else has a word. */
  readonly managed: readonly string[];
}

/** The entries of another agent that this one calls as well; it is known by a variable of its own. */
interface BorrowedEntries {
  readonly agent: string;
  readonly variable: string;
  readonly value: string;
  /** What a person is told that it is answered as. */
  readonly answeredAs: string;
}

/** The server of the scripted model, and what an agent is told of it. */
export interface SimServer {
  readonly url: string;
  /** It opens nothing: agents want one before they call. */
  readonly key: string;
  readonly model: string;
  /** Few, because some agents retry for minutes. */
  readonly retries: number;
}

export interface SimEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** By path relative to the home folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface SimSetup {
  /** Whether a request comes from this agent, as far as it says so. */
  isSender(headers: IncomingHttpHeaders): boolean;
  /** How the agent is pointed at the server. Plain description; nothing is written. */
  describeEnvironment(server: SimServer): SimEnvironment;
}
