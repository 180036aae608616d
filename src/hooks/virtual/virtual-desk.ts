// What answering a virtual command needs from the rest of the program, for one project.
import type { CommandSummary } from "../../command/command.ts";
import type { LayerName } from "../../command/registry.ts";
import type { Paths } from "../../config/paths.ts";
import type { Streams } from "./replay-line.ts";

export interface DeskPlace {
  readonly paths: Paths;
  /** The project the session was started in. */
  readonly root: string;
  /** Where the agent stands now; commands run here. */
  readonly cwd: string;
  /** The agent's, not necessarily this process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One command to run for an agent; plain data, so that it can be sent to another thread or process. */
export interface VirtualJob extends DeskPlace {
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

export interface VirtualDesk {
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
