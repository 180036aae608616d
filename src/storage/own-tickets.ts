// The tickets of this process, kept alive by a heartbeat for those who cannot see the process.
import { Fault } from "../command/fault.ts";
import type { Database } from "./sqlite.ts";
import { beatTickets, removeTickets, takeTicket } from "./ticket.ts";

const HEARTBEAT_MS = 2_000;

export class OwnTickets {
  readonly #database: Database;
  readonly #live = new Set<number>();
  /** Given back, but the disk refused; a living process must not block a session for ever. */
  readonly #unreturned = new Set<number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  take(sessionId: string): ReturnType<typeof takeTicket> {
    const taken = takeTicket(this.#database, sessionId);
    this.#live.add(taken.ticket);
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    return taken;
  }

  giveBack(ticket: number): void {
    if (!this.#live.delete(ticket)) return;
    this.#unreturned.add(ticket);
    this.#removeUnreturned();
  }

  giveBackAll(): void {
    for (const ticket of this.#live) this.#unreturned.add(ticket);
    this.#live.clear();
    this.#stop();
    if (this.#unreturned.size > 0) this.#removeUnreturned();
  }

  #removeUnreturned(): void {
    removeTickets(this.#database, this.#unreturned);
    this.#unreturned.clear();
    if (this.#live.size === 0) this.#stop();
  }

  #beat(): void {
    try {
      if (this.#unreturned.size > 0) this.#removeUnreturned();
      if (this.#live.size > 0) beatTickets(this.#database, this.#live);
    } catch (error) {
      // The next beat makes good for a missed one; if none gets through, others take over and
      // `commit` says so.
      if (!(error instanceof Fault)) throw error;
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
