// The lease on a session, across processes: take a ticket, wait until it is the lowest, give it back.
import { untilAborted } from "../command/cancellation.ts";
import { fault } from "../command/fault.ts";
import { monotonicMs } from "../command/time.ts";
import { LocalQueue, type QueuePosition } from "./local-queue.ts";
import type { Database } from "./sqlite.ts";
import type { Lease } from "./stores.ts";
import {
  countAhead,
  decidePollPause,
  decideTurn,
  listQueue,
  OwnTickets,
  removeStaleTickets,
} from "./tickets.ts";

/** Looking at other processes costs more than looking at the queue. */
const LIVENESS_INTERVAL_MS = 50;

interface WaitingTicket {
  readonly sessionId: string;
  readonly ticket: number;
  readonly position: QueuePosition;
}

/** All waiting for leases that this process does on one database. */
export class LeaseQueue {
  readonly #database: Database;
  readonly #tickets: OwnTickets;
  readonly #waiting = new LocalQueue();
  readonly #lookedAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
    this.#tickets = new OwnTickets(database);
  }

  async acquire(sessionId: string, signal: AbortSignal): Promise<Lease> {
    const queueUp = (next: AbortSignal) => this.#queueUp(sessionId, next);
    return new HeldLease(sessionId, await queueUp(signal), queueUp);
  }

  /** Gives back whatever this process still holds or waits for. */
  close(): void {
    this.#tickets.giveBackAll();
  }

  async #queueUp(sessionId: string, signal: AbortSignal): Promise<HeldTurn> {
    for (;;) {
      signal.throwIfAborted();
      const { ticket, isFirst } = this.#tickets.take(sessionId);
      const position = this.#waiting.join(sessionId);
      const end = () => {
        position.leave();
        this.#tickets.giveBack(ticket);
      };
      try {
        const isOurs = isFirst || (await this.#waitTurn({ sessionId, ticket, position }, signal));
        if (isOurs) return { ticket, end };
      } catch (error) {
        end();
        throw error;
      }
      end();
    }
  }

  /** False when the ticket got lost and a new one is needed. */
  async #waitTurn(
    { sessionId, ticket, position }: WaitingTicket,
    signal: AbortSignal,
  ): Promise<boolean> {
    await untilAborted(position.ready, signal);
    const startedAt = monotonicMs();
    for (;;) {
      const ahead = countAhead(this.#database, sessionId, ticket);
      if (ahead === null || ahead === 0) return ahead === 0;
      if (this.#clearGone(sessionId, ticket)) continue;
      const waited = monotonicMs() - startedAt;
      await untilAborted(pause(decidePollPause(ahead, waited)), signal);
    }
  }

  /** Says whether anybody ahead was gone. */
  #clearGone(sessionId: string, ticket: number): boolean {
    const now = monotonicMs();
    const lookedAt = this.#lookedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY;
    if (now - lookedAt < LIVENESS_INTERVAL_MS) return false;
    this.#lookedAt.set(sessionId, now);
    const turn = decideTurn(listQueue(this.#database, sessionId), ticket, Date.now());
    if (turn.kind !== "clear") return false;
    removeStaleTickets(this.#database, turn.gone);
    return true;
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A ticket whose turn has come. */
interface HeldTurn {
  readonly ticket: number;
  end(): void;
}

type QueueUp = (signal: AbortSignal) => Promise<HeldTurn>;

class HeldLease implements Lease {
  readonly sessionId: string;
  readonly #queueUp: QueueUp;
  #turn: HeldTurn | null;
  #generation: number;
  #isReleased = false;
  #resuming: Promise<void> | null = null;

  constructor(sessionId: string, turn: HeldTurn, queueUp: QueueUp) {
    this.sessionId = sessionId;
    this.#turn = turn;
    this.#generation = turn.ticket;
    this.#queueUp = queueUp;
  }

  get generation(): number {
    return this.#generation;
  }

  pause(): void {
    const turn = this.#turn;
    this.#turn = null;
    turn?.end();
  }

  async resume(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) return;
    this.#resuming ??= this.#takeTurn(signal).finally(() => {
      this.#resuming = null;
    });
    await this.#resuming;
  }

  release(): void {
    this.#isReleased = true;
    this.pause();
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    this.#refuseReleased();
    const turn = await this.#queueUp(signal);
    this.#turn = turn;
    this.#generation = turn.ticket;
    // Released while it waited: nobody would give this turn back.
    if (this.#isReleased) this.pause();
    this.#refuseReleased();
  }

  #refuseReleased(): void {
    if (this.#isReleased) throw fault("LeaseLost", { session: this.sessionId });
  }
}
