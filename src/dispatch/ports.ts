// What the dispatcher needs from the rest of the program.
import type { Command, CommandSummary } from "../command/command.ts";
import type { FaultReport } from "../command/fault.ts";
import type { CommandEntry, Definition, Resolution } from "../command/registry.ts";
import type { CommandResult } from "../command/result.ts";
import type { AuditStore, ConsentStore, SessionStore } from "../storage/stores.ts";
import type { Origin } from "./request.ts";

export interface Catalog {
  /** Finds a name in the layers; a name of an untrusted project is a `Trust` fault. */
  resolve(name: string): Promise<Resolution>;
  /** Loads the one file behind an entry. */
  load(entry: CommandEntry, at: Definition): Promise<Command>;
}

export interface CommandStep {
  readonly command: CommandSummary;
  readonly args: unknown;
  readonly line: string;
  readonly cwd: string;
  readonly origin: Origin;
  readonly correlationId: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export type BeforeVerdict =
  | {
      readonly kind: "proceed";
      /** Of a program its words. */
      readonly args?: Readonly<Record<string, unknown>> | readonly unknown[];
    }
  | { readonly kind: "veto"; readonly reason: string }
  | { readonly kind: "answer"; readonly result: CommandResult };

/** The hook pipeline as the dispatcher sees it. A handler's own errors are already verdicts here. */
export interface CommandHooks {
  before(step: CommandStep): Promise<BeforeVerdict>;
  /** Reasons to append to the error output; the outcome stays. */
  after(
    step: CommandStep,
    outcome: { exitCode: number; error: FaultReport | null },
  ): Promise<string[]>;
}

export interface DispatcherPorts {
  readonly catalog: Catalog;
  readonly audit: AuditStore;
  /** Opened on first use: most commands never touch the session. */
  readonly sessions: () => SessionStore & ConsentStore;
  readonly hooks: CommandHooks | null;
  /** The root whose session is used when a request names none. */
  readonly root: string | null;
  readonly now: () => Date;
  readonly newId: () => string;
}
