// What the dispatcher needs from the rest of the program, and what one dispatch carries with it from the request to
// its ending: everything that is done on the way takes this.
import type { Scope } from "../command/cancellation.ts";
import type {
  AgentAnswer,
  AgentOptions,
  CommandContext,
  NestedRequest,
  ToolResult,
} from "../command/context.ts";
import type { Command, CommandSummary } from "../command/definition.ts";
import type { EventType } from "../command/event.ts";
import type { FaultReport } from "../command/fault.ts";
import type { Catalog, Definition } from "../command/registry.ts";
import type { Attachment, Origin, Outcome, Request } from "../command/request.ts";
import type { CommandResult } from "../command/result.ts";
import type { WriteTurn } from "../store/local-queue.ts";
import type { AuditStore, Lease, StateStore } from "../store/stores.ts";
import type { AgentSigns } from "./below-agent.ts";
import type { EventDetails, EventFacts } from "./events.ts";
import type { CommandInvocation, RecordText } from "./invocation.ts";
import type { LoopWatch } from "./run-command.ts";

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
      /** For a program these are its words. */
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

/** What a command may do beside its own code: brought from above, for it goes through hooks and approvals. */
export interface CommandActions {
  tool(call: ActionCall, name: string, args: unknown): Promise<ToolResult>;
  agent(call: ActionCall, prompt: string, options: AgentOptions): Promise<AgentAnswer>;
}

/** Who acts: the command, as it was dispatched. */
export interface ActionCall {
  readonly context: CommandContext;
  readonly command: CommandSummary;
  /** The caller's whole environment, for hooks. */
  readonly env: Request["env"];
  /** Null where the command holds none. */
  readonly lease: Lease | null;
}

export interface DispatcherPorts {
  readonly catalog: Catalog;
  readonly audit: AuditStore;
  /** Opened on first use: most commands never touch the session. */
  readonly sessions: () => StateStore;
  readonly hooks: CommandHooks | null;
  readonly actions?: CommandActions;
  /** The root whose session is used when a request names none. */
  readonly root: string | null;
  /** By what agents are known: whoever is below one is no person. */
  readonly agentSigns: AgentSigns;
  /** Where it is noted that the machine itself, not a container, keeps this state. */
  readonly stateDir?: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A dispatch whose command was found, before its code is loaded. */
export interface Dispatch {
  readonly ports: DispatcherPorts;
  readonly loopWatch: LoopWatch;
  readonly request: Request;
  readonly attachment: Attachment;
  readonly invocation: CommandInvocation;
  readonly facts: EventFacts & { readonly sessionId: string };
  readonly scope: Scope;
  /** An agent, not a person, is asking. */
  isBelowAgent(): boolean;
  /** By which process that is known; null where the request itself says so, or none is. */
  whyBelowAgent(): string | null;
  /** Null for a read, and for what another dispatch makes. */
  readonly turn: WriteTurn | null;
  /** The lease of the dispatch that made this one, where that one holds it. */
  readonly inherited: SessionLease | null;
  /** Records an event that follows from this dispatch. */
  note(type: EventType, data: EventDetails): void;
  /** Dispatches another command inside this one, which may use its lease. */
  nest(request: NestedRequest, lease: SessionLease): Promise<Outcome>;
}

/** The same with its command loaded and its arguments checked. */
export interface DispatchContext extends Dispatch {
  readonly command: Command;
  readonly at: Definition;
  readonly args: unknown;
  readonly recordText: RecordText;
  readonly lease: SessionLease;
}

/** The session's lease as one dispatch has it: its own, that of the dispatch it belongs to, or none. */
export interface SessionLease {
  readonly held: Lease | null;
  /** It stays held while a person is being asked. */
  readonly isKept: boolean;
  /** No turn begins while it is held. */
  readonly isBetweenTurns: boolean;
  /** Waits for the lease where the command needs one and none was inherited. */
  acquire(): Promise<void>;
  /** Gives back what was acquired here, never what was inherited. */
  release(): void;
}
