// The audit: events in one order, never changed, deleted only by `prune`.
import { join } from "node:path";
import type { NewEvent, StoredEvent } from "../command/event.ts";
import { identifySelf, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { findEvent, insertEvent, readEvents } from "./events.ts";
import { numberIn, ownerIn, type Row } from "./row.ts";
import {
  consult,
  type Database,
  leaveDatabase,
  openDatabase,
  pauseThread,
  transact,
} from "./sqlite.ts";
import type { AuditStore } from "./stores.ts";

// No index but the order itself: each would cost every event 10 to 20 µs, and a scan of a million
// events takes 0.15 s (measured with SQLite 3.53).
const MIGRATIONS = [
  `CREATE TABLE event (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     time TEXT NOT NULL,
     type TEXT NOT NULL,
     correlation_id TEXT NOT NULL,
     session_id TEXT,
     command TEXT,
     agent TEXT,
     body TEXT NOT NULL
   ) STRICT;
   CREATE TABLE open_dispatch (
     seq INTEGER PRIMARY KEY,
     opened_at INTEGER NOT NULL,
     pid INTEGER NOT NULL,
     started_at TEXT NOT NULL,
     host TEXT NOT NULL,
     lost_seq INTEGER
   ) STRICT;`,
];

/** Opens `audit.db` in the state folder, made when it is not there. */
export function openAudit(stateDir: string): AuditStore {
  const database = openDatabase({ path: join(stateDir, "audit.db"), migrations: MIGRATIONS });
  return {
    append: (event) => consult(database, () => insertEvent(database, event)),
    openDispatch: (event) => openDispatch(database, event),
    closeDispatch: (seq, event) => closeDispatch(database, seq, event),
    closeLost: (describe) => closeLost(database, describe),
    read: (filter) => ({ [Symbol.iterator]: () => readEvents(database, filter) }),
    prune: (before) => pruneEvents(database, before),
    countPrunable: (before) => consult(database, () => countPrunable(database, before)),
    close: () => consult(database, () => database.close()),
    leave: () => consult(database, () => leaveDatabase(database)),
  };
}

const PRUNE_BATCH = 200;

function pruneEvents(database: Database, before: string): number {
  let pruned = 0;
  for (;;) {
    const startedAt = performance.now();
    const count = transact(database, () => pruneBatch(database, before));
    pruned += count;
    if (count < PRUNE_BATCH) return pruned;
    // Waiting writers try again after a while: leave the lock free for as long as it was held.
    pauseThread(Math.max(1, performance.now() - startedAt));
  }
}

/** The beginning of a dispatch that still runs stays, so that its end never stands alone. */
const PRUNABLE = `FROM event WHERE time < ?
      AND seq NOT IN (SELECT seq FROM open_dispatch WHERE lost_seq IS NULL)`;

function countPrunable(database: Database, before: string): number {
  const row = database.statement(`SELECT count(*) AS count ${PRUNABLE}`).get(before);
  return row === undefined ? 0 : numberIn(row, "count");
}

function pruneBatch(database: Database, before: string): number {
  const { changes } = database
    .statement(`DELETE FROM event WHERE seq IN (SELECT seq ${PRUNABLE} LIMIT ?)`)
    .run(before, PRUNE_BATCH);
  database
    .statement(`DELETE FROM open_dispatch WHERE lost_seq IS NOT NULL
      AND lost_seq NOT IN (SELECT seq FROM event)`)
    .run();
  return Number(changes);
}

/** An owner that cannot be seen from here sends no sign of life; no command should take longer. */
export const UNSEEN_LIMIT_MS = 24 * 60 * 60 * 1_000;

interface OpenDispatch {
  /** The number of the event that opened it. */
  readonly seq: number;
  readonly openedAt: number;
  readonly owner: ProcessIdentity;
}

function openDispatch(database: Database, event: NewEvent): StoredEvent {
  const { pid, startedAt, host } = identifySelf();
  return transact(database, () => {
    const stored = insertEvent(database, event);
    database
      .statement(`INSERT INTO open_dispatch (seq, opened_at, pid, started_at, host)
        VALUES (?, ?, ?, ?, ?)`)
      .run(stored.seq, Date.now(), pid, startedAt, host);
    return stored;
  });
}

/** Where another process took this one for lost, its event stands: a dispatch ends once. */
function closeDispatch(database: Database, seq: number, event: NewEvent): StoredEvent {
  return transact(database, () => {
    const row = database
      .statement("DELETE FROM open_dispatch WHERE seq = ? RETURNING lost_seq")
      .get(seq);
    if (row === undefined) throw new Error(`dispatch ${seq} is not open`);
    const earlier = row.lost_seq === null ? null : findEvent(database, numberIn(row, "lost_seq"));
    return earlier ?? insertEvent(database, event);
  });
}

function closeLost(database: Database, describe: (opened: StoredEvent) => NewEvent): StoredEvent[] {
  return listOpen(database).flatMap((open) => {
    const alive = isAlive(open.owner);
    if (!isLost(open, alive, Date.now())) return [];
    const opened = consult(database, () => findEvent(database, open.seq));
    if (opened === null) return [];
    const event = describe(opened);
    return transact(database, () => endLost(database, { open, alive, event }));
  });
}

export function isLost(
  { openedAt }: { readonly openedAt: number },
  alive: boolean | "unseen",
  now: number,
): boolean {
  return alive === "unseen" ? now - openedAt > UNSEEN_LIMIT_MS : !alive;
}

interface Loss {
  readonly open: OpenDispatch;
  readonly alive: boolean | "unseen";
  readonly event: NewEvent;
}

function endLost(database: Database, { open, alive, event }: Loss): StoredEvent[] {
  const isOpen = "SELECT 1 FROM open_dispatch WHERE seq = ? AND lost_seq IS NULL";
  if (database.statement(isOpen).get(open.seq) === undefined) return [];
  const stored = insertEvent(database, event);
  if (alive === "unseen") {
    // It may come back yet; then it must find that it has been closed.
    const mark = "UPDATE open_dispatch SET lost_seq = ? WHERE seq = ?";
    database.statement(mark).run(stored.seq, open.seq);
  } else database.statement("DELETE FROM open_dispatch WHERE seq = ?").run(open.seq);
  return [stored];
}

function listOpen(database: Database): OpenDispatch[] {
  return consult(database, () =>
    database
      .statement(`SELECT seq, opened_at, pid, started_at, host
        FROM open_dispatch WHERE lost_seq IS NULL ORDER BY seq`)
      .all()
      .map(openDispatchIn),
  );
}

function openDispatchIn(row: Row): OpenDispatch {
  return {
    seq: numberIn(row, "seq"),
    openedAt: numberIn(row, "opened_at"),
    owner: ownerIn(row),
  };
}
