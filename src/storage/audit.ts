// The audit: events in one order, never changed, deleted only by `prune`.
import { join } from "node:path";
import { readEvents } from "./event-query.ts";
import { insertEvent } from "./event-row.ts";
import { closeDispatch, closeLost, openDispatch } from "./open-dispatch.ts";
import { pauseThread } from "./pause-thread.ts";
import { consult, type Database, openDatabase, transact } from "./sqlite.ts";
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
    close: () => consult(database, () => database.close()),
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
function pruneBatch(database: Database, before: string): number {
  const { changes } = database
    .statement(`DELETE FROM event WHERE seq IN (
      SELECT seq FROM event WHERE time < ?
      AND seq NOT IN (SELECT seq FROM open_dispatch WHERE lost_seq IS NULL) LIMIT ?)`)
    .run(before, PRUNE_BATCH);
  database
    .statement(`DELETE FROM open_dispatch WHERE lost_seq IS NOT NULL
      AND lost_seq NOT IN (SELECT seq FROM event)`)
    .run();
  return Number(changes);
}
