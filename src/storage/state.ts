// `state.db`: sessions, who holds each, and remembered consents.
import { join } from "node:path";
import { keepConsents } from "./consents.ts";
import { LeaseDesk } from "./lease-desk.ts";
import {
  commitChange,
  ensureSession,
  findOrMakeForRoot,
  findSessionByName,
  listSessions,
  readSlot,
  readState,
  renameSession,
} from "./sessions.ts";
import { consult, type Database, openDatabase } from "./sqlite.ts";
import type { ConsentStore, SessionStore } from "./stores.ts";

const MIGRATIONS = [
  `CREATE TABLE session (
     id TEXT PRIMARY KEY,
     name TEXT UNIQUE,
     root TEXT,
     home_of TEXT UNIQUE,
     state TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE slot (
     session_id TEXT NOT NULL,
     command TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (session_id, command)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE ticket (
     ticket INTEGER PRIMARY KEY AUTOINCREMENT,
     session_id TEXT NOT NULL,
     pid INTEGER NOT NULL,
     started_at TEXT NOT NULL,
     host TEXT NOT NULL,
     heartbeat_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX ticket_by_session ON ticket (session_id);
   CREATE TABLE consent (
     root TEXT,
     command TEXT NOT NULL,
     at TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX consent_once ON consent (coalesce(root, ''), command);`,
];

/** Opens `state.db` in the state folder, made when it is not there. */
export function openState(stateDir: string): SessionStore & ConsentStore {
  const database = openDatabase({ path: join(stateDir, "state.db"), migrations: MIGRATIONS });
  return { ...keepSessions(database), ...keepConsents(database) };
}

function keepSessions(database: Database): SessionStore {
  const desk = new LeaseDesk(database);
  return {
    forRoot: (root) => findOrMakeForRoot(database, root),
    ensure: (id, root) => ensureSession(database, id, root),
    read: (id) => readState(database, id),
    readSlot: (id, command) => readSlot(database, id, command),
    acquire: (id, signal) => desk.acquire(id, signal),
    commit: (lease, change) => commitChange(database, lease, change),
    list: () => listSessions(database),
    rename: (id, name) => renameSession(database, id, name),
    findByName: (name) => findSessionByName(database, name),
    close: () => closeState(database, desk),
  };
}

function closeState(database: Database, desk: LeaseDesk): void {
  try {
    desk.close();
  } finally {
    consult(database, () => database.close());
  }
}
