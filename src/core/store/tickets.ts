// The queue for each session's lease. The lowest ticket of a session holds it, and its number is the
// generation: numbers only grow, so whoever holds the lease later has the higher one.
import { Fault } from "../command/fault.ts";
import { identifySelf, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { numberIn, ownerIn, type Row, textIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";

/** A ticket as this process sees it now. */
export interface SeenTicket {
  readonly ticket: number;
  readonly alive: boolean | "unseen";
  /** When its owner was last heard of, in milliseconds. */
  readonly heartbeatAt: number;
}

type Turn =
  | { readonly kind: "ours" }
  | { readonly kind: "wait" }
  /** Tickets ahead whose owners are gone stand in the way. */
  | { readonly kind: "clear"; readonly gone: readonly SeenTicket[] }
  /** Our ticket is no more: somebody took us for gone. */
  | { readonly kind: "requeue" };

/** An owner that cannot be seen from here counts as gone after so much silence. */
export const SILENCE_MS = 10_000;

/** The turn is that of the lowest ticket whose owner still lives. */
export function decideTurn(queue: readonly SeenTicket[], mine: number, now: number): Turn {
  if (!queue.some(({ ticket }) => ticket === mine)) return { kind: "requeue" };
  const ahead = queue.filter(({ ticket }) => ticket < mine);
  if (ahead.length === 0) return { kind: "ours" };
  const gone = ahead.filter((seen) => isGone(seen, now));
  return gone.length === 0 ? { kind: "wait" } : { kind: "clear", gone };
}

/** A heartbeat from far in the future is one from before the clock was set back. */
export function isGone({ alive, heartbeatAt }: SeenTicket, now: number): boolean {
  return alive === "unseen" ? Math.abs(now - heartbeatAt) > SILENCE_MS : !alive;
}

const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 25;

/** The next in line looks every millisecond; those far back, or behind a long command, have time. */
export function decidePollPause(ahead: number, waitedMs: number): number {
  const pause = Math.max(MIN_PAUSE_MS, ahead / 2, waitedMs / 10);
  return Math.min(MAX_PAUSE_MS, pause);
}

export interface QueuedTicket extends SeenTicket {
  readonly sessionId: string;
  readonly owner: ProcessIdentity;
}

/** Queues up; alone in the queue it is our turn at once. */
function takeTicket(
  database: Database,
  sessionId: string,
): { readonly ticket: number; readonly isFirst: boolean } {
  const { pid, startedAt, host } = identifySelf();
  return transact(database, () => {
    const { lastInsertRowid } = database
      .statement(`INSERT INTO ticket (session_id, pid, started_at, host, heartbeat_at)
        VALUES (?, ?, ?, ?, ?)`)
      .run(sessionId, pid, startedAt, host, Date.now());
    const ticket = Number(lastInsertRowid);
    return { ticket, isFirst: readAhead(database, sessionId, ticket) === 0 };
  });
}

/** How many stand before this ticket; null when it is no more in the queue. */
export function countAhead(database: Database, sessionId: string, ticket: number): number | null {
  return consult(database, () => readAhead(database, sessionId, ticket));
}

function readAhead(database: Database, sessionId: string, ticket: number): number | null {
  const row = database
    .statement(`SELECT count(*) AS count, max(ticket) AS last FROM ticket
      WHERE session_id = ? AND ticket <= ?`)
    .get(sessionId, ticket);
  return row?.last === ticket ? numberIn(row, "count") - 1 : null;
}

const TICKET_COLUMNS = "ticket, session_id, pid, started_at, host, heartbeat_at";

export function listQueue(database: Database, sessionId: string): QueuedTicket[] {
  const query = `SELECT ${TICKET_COLUMNS} FROM ticket WHERE session_id = ? ORDER BY ticket`;
  return consult(database, () => seeTickets(database.statement(query).all(sessionId)));
}

export function listAllQueues(database: Database): QueuedTicket[] {
  const query = `SELECT ${TICKET_COLUMNS} FROM ticket ORDER BY ticket`;
  return consult(database, () => seeTickets(database.statement(query).all()));
}

/** One process may hold many tickets; it is looked at once. */
function seeTickets(rows: readonly Row[]): QueuedTicket[] {
  const seenOwners = new Map<string, boolean | "unseen">();
  return rows.map((row) => {
    const owner = ownerIn(row);
    const key = `${owner.pid} ${owner.startedAt} ${owner.host}`;
    const alive = seenOwners.get(key) ?? isAlive(owner);
    seenOwners.set(key, alive);
    return {
      ticket: numberIn(row, "ticket"),
      sessionId: textIn(row, "session_id"),
      owner,
      alive,
      heartbeatAt: numberIn(row, "heartbeat_at"),
    };
  });
}

/** The caller has opened a transaction. */
export function isStillQueued(database: Database, sessionId: string, ticket: number): boolean {
  const query = "SELECT 1 FROM ticket WHERE ticket = ? AND session_id = ?";
  return database.statement(query).get(ticket, sessionId) !== undefined;
}

/** An owner that was heard of since we looked keeps its place. */
export function removeStaleTickets(database: Database, gone: readonly SeenTicket[]): void {
  const remove = "DELETE FROM ticket WHERE ticket = ? AND heartbeat_at = ?";
  transact(database, () => {
    for (const { ticket, heartbeatAt } of gone) database.statement(remove).run(ticket, heartbeatAt);
  });
}

function removeTickets(database: Database, tickets: Iterable<number>): void {
  transact(database, () => {
    for (const ticket of tickets)
      database.statement("DELETE FROM ticket WHERE ticket = ?").run(ticket);
  });
}

function beatTickets(database: Database, tickets: Iterable<number>): void {
  const now = Date.now();
  transact(database, () => {
    for (const ticket of tickets)
      database.statement("UPDATE ticket SET heartbeat_at = ? WHERE ticket = ?").run(now, ticket);
  });
}

const HEARTBEAT_MS = 2_000;

/** The tickets of this process, kept alive by a heartbeat for those who cannot see the process. */
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
