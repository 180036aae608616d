// The queue for each session's lease. The lowest ticket of a session holds it, and its number is the
// generation: numbers only grow, so whoever holds the lease later has the higher one.
import { identifySelf, isAlive } from "../process/identity.ts";
import { numberIn, ownerIn, type Row, textIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";
import type { ProcessIdentity } from "./stores.ts";
import type { SeenTicket } from "./turn.ts";

export interface QueuedTicket extends SeenTicket {
  readonly sessionId: string;
  readonly owner: ProcessIdentity;
}

/** Queues up; alone in the queue it is our turn at once. */
export function takeTicket(
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

const COLUMNS = "ticket, session_id, pid, started_at, host, heartbeat_at";

export function listQueue(database: Database, sessionId: string): QueuedTicket[] {
  const query = `SELECT ${COLUMNS} FROM ticket WHERE session_id = ? ORDER BY ticket`;
  return consult(database, () => seeTickets(database.statement(query).all(sessionId)));
}

export function listAllQueues(database: Database): QueuedTicket[] {
  const query = `SELECT ${COLUMNS} FROM ticket ORDER BY ticket`;
  return consult(database, () => seeTickets(database.statement(query).all()));
}

/** One process may hold many tickets; it is looked at once. */
function seeTickets(rows: readonly Row[]): QueuedTicket[] {
  const sightings = new Map<string, boolean | "unseen">();
  return rows.map((row) => {
    const owner = ownerIn(row);
    const key = `${owner.pid} ${owner.startedAt} ${owner.host}`;
    const alive = sightings.get(key) ?? isAlive(owner);
    sightings.set(key, alive);
    return {
      ticket: numberIn(row, "ticket"),
      sessionId: textIn(row, "session_id"),
      owner,
      alive,
      heartbeatAt: numberIn(row, "heartbeat_at"),
    };
  });
}

/** For use inside a transaction. */
export function isStillQueued(database: Database, sessionId: string, ticket: number): boolean {
  const query = "SELECT 1 FROM ticket WHERE ticket = ? AND session_id = ?";
  return database.statement(query).get(ticket, sessionId) !== undefined;
}

/** An owner that was heard of since we looked keeps its place. */
export function removeGone(database: Database, gone: readonly SeenTicket[]): void {
  const remove = "DELETE FROM ticket WHERE ticket = ? AND heartbeat_at = ?";
  transact(database, () => {
    for (const { ticket, heartbeatAt } of gone) database.statement(remove).run(ticket, heartbeatAt);
  });
}

export function removeTickets(database: Database, tickets: Iterable<number>): void {
  transact(database, () => {
    for (const ticket of tickets)
      database.statement("DELETE FROM ticket WHERE ticket = ?").run(ticket);
  });
}

export function beatTickets(database: Database, tickets: Iterable<number>): void {
  const now = Date.now();
  transact(database, () => {
    for (const ticket of tickets)
      database.statement("UPDATE ticket SET heartbeat_at = ? WHERE ticket = ?").run(now, ticket);
  });
}
