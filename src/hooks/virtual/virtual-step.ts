// What virtual commands work on: a step, the catalog of a project, a command to run.
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { CommandSummary } from "../../core/command/definition.ts";
import type { LayerName } from "../../core/command/registry.ts";
import type { Paths } from "../../core/project/paths.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { Streams } from "./replay.ts";

/** What the rest of the program lends to virtual commands. */
export interface VirtualParts {
  openCatalog(context: VirtualContext): Promise<VirtualCatalog>;
  readonly runVirtual: RunVirtual;
  /** How this program is started, by absolute paths; for the shims. */
  readonly program: readonly string[];
}

/** One step, as far as virtual commands are concerned. */
export interface VirtualStep {
  readonly agent: HookAgent;
  /** With what the hooks made of it. */
  readonly envelope: Envelope;
  readonly decision: StepDecision;
  readonly context: VirtualContext;
  readonly sessionId: string;
  readonly now: Date;
  /** What is left of the agent's own limit. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** A handler's answer is shown all the same; commands of ours are left alone. */
  readonly isHandlersOnly: boolean;
}

/** What a virtual command did to the line. */
export interface VirtualNote {
  readonly command: string;
  readonly how:
    | "answered"
    | "shim"
    | "prefixed"
    | "denied-with-output"
    | "denied-with-line"
    | "prompt";
  readonly exitCode: number | null;
}

export interface VirtualAnswer {
  readonly decision: StepDecision;
  readonly note: VirtualNote;
}

/** A text of the agent in which the prefix stands somewhere. */
export interface PrefixedText {
  readonly text: string;
  readonly prefix: string;
}

// What answering a virtual command needs from the rest of the program, for one project.

export interface VirtualContext {
  readonly paths: Paths;
  /** The project the session was started in. */
  readonly root: string;
  /** Where the agent stands now; commands run here. */
  readonly cwd: string;
  /** The agent's, not necessarily this process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One command to run for an agent; plain data, so that it can be sent to another thread or process. */
export interface VirtualJob extends VirtualContext {
  readonly name: string;
  readonly words: readonly string[];
  readonly agent: string;
  readonly sessionId: string;
  readonly correlationId: string;
  readonly limitMs: number;
}

export interface ListedCommand {
  readonly summary: CommandSummary;
  readonly layer: LayerName;
}

export interface VirtualCatalog {
  prefix(): Promise<string>;
  /** Null for a name that nobody answers to. Running a broken one says what is wrong with it. */
  find(name: string): Promise<CommandSummary | "broken" | null>;
  /** All that can run, aliases left out. */
  list(): Promise<readonly ListedCommand[]>;
}

/**
 * Runs a command where it can break nothing: it may throw, exit, print, or hang. What comes back are the very
 * bytes and the exit code that `adj run` would have ended with; out of time is exit code 124. It never rejects.
 */
export type RunVirtual = (job: VirtualJob, signal: AbortSignal) => Promise<Streams>;
