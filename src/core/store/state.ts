// `state.db`: sessions, who holds each, their turns, questions and stages, and remembered consents.
import { join } from "node:path";
import { LeaseQueue } from "./lease.ts";
import { DURABLE_QUESTIONS, openQuestionStore, QUESTION_SCHEMA } from "./questions.ts";
import { textIn, textOrNullIn } from "./row.ts";
import {
  commitChange,
  ensureSession,
  findSessionByName,
  listSessions,
  readSessionSlot,
  readSessionState,
  renameSession,
} from "./sessions.ts";
import { consult, type Database, openDatabase, transact } from "./sqlite.ts";
import { openStageStore, STAGE_REQUIREMENTS, STAGE_SCHEMA } from "./stages.ts";
import type { ConsentStore, SessionStore, StateStore } from "./stores.ts";
import { openTurnStore, TURN_OPTIONS, TURN_SCHEMA } from "./turns.ts";

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
  `${TURN_SCHEMA}
   ${QUESTION_SCHEMA}`,
  `${STAGE_SCHEMA}
   ${DURABLE_QUESTIONS}`,
  STAGE_REQUIREMENTS,
  TURN_OPTIONS,
];

/** Opens `state.db` in the state folder, made when it is not there. */
export function openState(stateDir: string): StateStore {
  const database = openDatabase({ path: join(stateDir, "state.db"), migrations: MIGRATIONS });
  return {
    ...keepSessions(database),
    ...keepConsents(database),
    turns: openTurnStore(database),
    questions: openQuestionStore(database),
    stages: openStageStore(database),
  };
}

function keepSessions(database: Database): SessionStore {
  const leases = new LeaseQueue(database);
  return {
    ensure: (id, root) => ensureSession(database, id, root),
    read: (id) => readSessionState(database, id),
    readSlot: (id, command) => readSessionSlot(database, id, command),
    acquire: (id, signal) => leases.acquire(id, signal),
    acquireBetweenTurns: (id, signal) => leases.acquire(`between turns: ${id}`, signal),
    commit: (lease, change) => commitChange(database, lease, change),
    list: () => listSessions(database),
    rename: (id, name) => renameSession(database, id, name),
    findByName: (name) => findSessionByName(database, name),
    close: () => closeState(database, leases),
  };
}

function closeState(database: Database, leases: LeaseQueue): void {
  try {
    leases.close();
  } finally {
    consult(database, () => database.close());
  }
}

/** What a person allowed once and for all. A root of null stands for every folder outside a project. */
function keepConsents(database: Database): ConsentStore {
  return {
    isApproved: (root, command) =>
      consult(database, () => {
        const query = "SELECT 1 FROM consent WHERE root IS ? AND command = ?";
        return database.statement(query).get(root, command) !== undefined;
      }),
    approve: (root, command) =>
      transact(database, () => {
        const insert = "INSERT OR IGNORE INTO consent (root, command, at) VALUES (?, ?, ?)";
        database.statement(insert).run(root, command, new Date().toISOString());
      }),
    forget: (root, command) =>
      transact(database, () => {
        const remove = "DELETE FROM consent WHERE root IS ? AND command = ?";
        return Number(database.statement(remove).run(root, command).changes) > 0;
      }),
    listApproved: () =>
      consult(database, () =>
        database
          .statement("SELECT root, command, at FROM consent ORDER BY root, command")
          .all()
          .map((row) => ({
            root: textOrNullIn(row, "root"),
            command: textIn(row, "command"),
            at: textIn(row, "at"),
          })),
      ),
  };
}
