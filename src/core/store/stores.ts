// What the rest of the program may ask of storage. Nothing outside this folder speaks SQL.
import type { JsonValue, SessionState } from "../command/context.ts";
import type { EventType, NewEvent, StoredEvent } from "../command/event.ts";
import type { ProcessIdentity } from "../process/identity.ts";
import type { QuestionStore } from "./questions.ts";
import type { StageStore } from "./stages.ts";
import type { TurnStore } from "./turns.ts";

export interface EventFilter {
  /** Only events after this one. */
  readonly sinceSeq?: number;
  /** From this time on. */
  readonly since?: string;
  /** Before this time. */
  readonly until?: string;
  readonly types?: readonly EventType[];
  readonly sessionId?: string;
  readonly command?: string;
  readonly agent?: string;
  readonly correlationId?: string;
  /** The newest so many, still in order. */
  readonly last?: number;
}

export interface AuditStore {
  append(event: NewEvent): StoredEvent;
  /** Appends `CommandDispatched` and notes the dispatch as open by this process, in one transaction. */
  openDispatch(event: NewEvent): StoredEvent;
  /** Appends `CommandResulted` and closes the dispatch, in one transaction. */
  closeDispatch(seq: number, event: NewEvent): StoredEvent;
  /** Closes what dead processes left open, with the event `describe` makes of each; returns those events. */
  closeLost(describe: (opened: StoredEvent) => NewEvent): StoredEvent[];
  read(filter: EventFilter): Iterable<StoredEvent>;
  /** The only deletion there is. */
  prune(before: string): number;
  /** How many events `prune` would delete. */
  countPrunable(before: string): number;
  close(): void;
  /** Instead of `close`, where the process ends and somebody waits for that. */
  leave(): void;
}

export interface SessionRow {
  readonly id: string;
  readonly name: string | null;
  readonly root: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly holder: ProcessIdentity | null;
  readonly waiting: number;
}

/** A held lease. Everything written under it is checked against its generation. */
export interface Lease {
  readonly sessionId: string;
  readonly generation: number;
  /** Gives the lease back for a while (a person is being asked) and queues for it again. */
  pause(): void;
  resume(signal: AbortSignal): Promise<void>;
  release(): void;
}

export interface SessionChange {
  readonly state?: SessionState;
  /** Slot values by command name. */
  readonly slots?: ReadonlyMap<string, JsonValue>;
}

export interface SessionStore {
  /** Makes the session with this id if it is not there yet. */
  ensure(id: string, root: string | null): void;
  read(id: string): SessionState;
  readSlot(id: string, command: string): JsonValue | undefined;
  /** Waits its turn (ticket order over all processes). Rejects with the signal's reason when aborted. */
  acquire(id: string, signal: AbortSignal): Promise<Lease>;
  /** Held by a turn while it begins and by an `exclusive` command while it runs, so that neither meets the other. */
  acquireBetweenTurns(id: string, signal: AbortSignal): Promise<Lease>;
  /** Writes in one transaction that first checks the generation, else `Storage/LeaseLost`. */
  commit(lease: Lease, change: SessionChange): void;
  list(): SessionRow[];
  rename(id: string, name: string): void;
  findByName(name: string): string | null;
  close(): void;
}

/** Destructive commands a person allowed once and for all, per project root. */
export interface ConsentStore {
  isApproved(root: string | null, command: string): boolean;
  approve(root: string | null, command: string): void;
  forget(root: string | null, command: string): boolean;
  listApproved(): readonly {
    readonly root: string | null;
    readonly command: string;
    readonly at: string;
  }[];
}

/** All of `state.db`. */
export interface StateStore extends SessionStore, ConsentStore {
  readonly turns: TurnStore;
  readonly questions: QuestionStore;
  readonly stages: StageStore;
}
