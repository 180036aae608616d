// What is known of where and how one agent keeps its hooks. Pure; reading and writing is done elsewhere.
import type { $ZodType } from "zod/v4/core";
import type { StepEvent } from "../agents/hook-agent.ts";
import type { StepName } from "../step.ts";

export const INSTALL_SCOPES = ["user", "project"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

export interface InstallPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project's root. */
  readonly root: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Variables that headers may name. */
  readonly variables: readonly string[];
}

/** What an entry calls, and how. */
export interface EntryWish {
  /** The shell line that the agent runs. */
  readonly command: string;
  /** How long the agent waits for it. */
  readonly limitMs: number;
  /** Steps at which a guard must not be passed over when the hook itself fails. */
  readonly guarded: ReadonlySet<StepName>;
  /** Null for the command client everywhere. */
  readonly http: HttpTarget | null;
  /** Session start alone. */
  readonly isShimsOnly: boolean;
}

interface InstallerBase {
  readonly agent: string;
  /** The agent's own variables are honoured. */
  configFile(scope: InstallScope, place: InstallPlace): string;
  /** What the person must still do for the agent to call the hook. */
  nextSteps(scope: InstallScope): readonly string[];
  /** Nothing else is kept in the file, so it goes with the last entry. */
  readonly ownsFile: boolean;
}

/** Measured on the real CLIs: what an agent cannot read it mostly passes over without a word. */
export interface ConfigSyntax {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** A byte order mark. */
  readonly mark: boolean;
}

/** An agent that has its hooks in a JSON file, below `hooks`, by event. */
export interface EntryInstaller extends InstallerBase {
  readonly kind: "entries";
  readonly events: readonly StepEvent[];
  /** What the agent's own reader takes beside plain JSON. */
  readonly syntax: ConfigSyntax;
  /** What a new file begins with. */
  readonly seed: JsonObject;
  readonly canHttp: boolean;
  makeEntry(event: StepEvent, wish: EntryWish): JsonObject;
  /** What the agent itself would refuse, or would void the whole file for. */
  readonly schema: $ZodType;
}

/** An agent that runs a file of code. */
export interface PluginInstaller extends InstallerBase {
  readonly kind: "plugin";
  /** `client` is the program it starts for a step, with its words before the name of the agent. */
  makeSource(client: readonly string[]): Promise<string>;
  readonly ownsFile: true;
}

export type HookInstaller = EntryInstaller | PluginInstaller;

/** The events that are written for a wish. */
export const eventsFor = (
  { events }: Pick<EntryInstaller, "events">,
  { isShimsOnly }: Pick<EntryWish, "isShimsOnly">,
): readonly StepEvent[] =>
  isShimsOnly ? events.filter(({ step }) => step === "session_start") : events;
