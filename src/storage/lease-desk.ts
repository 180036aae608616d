// The lease on a session, across processes: take a ticket, wait until it is the lowest, give it back.

import { monotonicMs } from "../monotonic-ms.ts";
import { type HeldTurn, holdLease } from "./held-lease.ts";
import { LocalLine, type Place } from "./local-line.ts";
import { OwnTickets } from "./own-tickets.ts";
import type { Database } from "./sqlite.ts";
import type { Lease } from "./stores.ts";
import { countAhead, listQueue, removeGone } from "./ticket.ts";
import { decidePollPause, decideTurn } from "./turn.ts";

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
  readonly #lookedAt = new Map<string, number>();

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
  async #waitTurn({ sessionId, ticket, place }: Waiting, signal: AbortSignal): Promise<boolean> {
    await untilAborted(place.ready, signal);
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
    removeGone(this.#database, turn.gone);
    return true;
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

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
