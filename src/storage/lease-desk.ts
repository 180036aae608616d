// The lease on a session, across processes: take a ticket, wait until it is the lowest, give it back.
import { setTimeout as pause } from "node:timers/promises";
import { type HeldTurn, holdLease } from "./held-lease.ts";
import { LocalLine, type Place } from "./local-line.ts";
import { OwnTickets } from "./own-tickets.ts";
import type { Database } from "./sqlite.ts";
import type { Lease } from "./stores.ts";
import { clearGone, findFirstTicket, listQueue } from "./ticket.ts";
import { decidePollPause, decideTurn, type Turn } from "./turn.ts";

/** Looking at other processes costs more than looking at the queue. */
const LIVENESS_INTERVAL_MS = 50;

interface Waiting {
  readonly sessionId: string;
  readonly ticket: number;
  readonly place: Place;
}

export class LeaseDesk {
  readonly #database: Database;
  readonly #tickets: OwnTickets;
  readonly #line = new LocalLine();
  readonly #livenessLookedAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
    this.#tickets = new OwnTickets(database);
  }

  async acquire(sessionId: string, signal: AbortSignal): Promise<Lease> {
    const queueUp = (next: AbortSignal) => this.#queueUp(sessionId, next);
    return holdLease(sessionId, await queueUp(signal), queueUp);
  }

  /** Gives back whatever this process still holds or waits for. */
  close(): void {
    this.#tickets.giveBackAll();
  }

  async #queueUp(sessionId: string, signal: AbortSignal): Promise<HeldTurn> {
    for (;;) {
      signal.throwIfAborted();
      const { ticket, isFirst } = this.#tickets.take(sessionId);
      const place = this.#line.join(sessionId);
      const end = () => {
        place.leave();
        this.#tickets.giveBack(ticket);
      };
      try {
        const isOurs = isFirst || (await this.#waitTurn({ sessionId, ticket, place }, signal));
        if (isOurs) return { ticket, end };
      } catch (error) {
        end();
        throw error;
      }
      end();
    }
  }

  /** False when the ticket got lost and a new one is needed. */
  async #waitTurn(waiting: Waiting, signal: AbortSignal): Promise<boolean> {
    await untilAborted(waiting.place.ready, signal);
    const startedAt = performance.now();
    for (;;) {
      const turn = this.#look(waiting);
      if (turn.kind === "ours") return true;
      if (turn.kind === "requeue") return false;
      if (turn.kind === "clear") clearGone(this.#database, turn.gone);
      else await untilAborted(pause(decidePollPause(performance.now() - startedAt)), signal);
    }
  }

  #look({ sessionId, ticket }: Waiting): Turn {
    if (findFirstTicket(this.#database, sessionId) === ticket) return { kind: "ours" };
    const now = performance.now();
    const lookedAt = this.#livenessLookedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY;
    if (now - lookedAt < LIVENESS_INTERVAL_MS) return { kind: "wait" };
    const turn = decideTurn(listQueue(this.#database, sessionId), ticket, Date.now());
    if (turn.kind === "wait") this.#livenessLookedAt.set(sessionId, now);
    return turn;
  }
}

/** Rejects with the signal's reason as soon as it fires. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
