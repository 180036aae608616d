// Sessions and the commands' slots in them.
import {
  APPROVAL_MODES,
  EMPTY_SESSION,
  type JsonValue,
  type SessionState,
} from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { isJsonObject } from "../project/json-value.ts";
import { jsonIn, type Row, textIn, textOrNullIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";
import { RowDamaged } from "./storage-fault.ts";
import type { Lease, SessionChange, SessionRow } from "./stores.ts";
import { isGone, isStillQueued, listAllQueues, type QueuedTicket } from "./tickets.ts";

/** Sessions of calls that a workflow makes: nobody opens them, and no list has them. */
export const isPrivateSession = (id: string): boolean => id.startsWith("wf_");

/** Sessions of MCP clients: no window opens them, so what they ask is shown in every window of their project. */
export const isClientSession = (id: string): boolean => id.startsWith("mcp-");

export function ensureSession(database: Database, id: string, root: string | null): void {
  const isKnown = () => database.statement("SELECT 1 FROM session WHERE id = ?").get(id);
  if (consult(database, isKnown) === undefined)
    transact(database, () => insertSession(database, id, root));
}

function insertSession(database: Database, id: string, root: string | null): void {
  const now = new Date().toISOString();
  database
    .statement(`INSERT OR IGNORE INTO session (id, root, created_at, updated_at)
      VALUES (?, ?, ?, ?)`)
    .run(id, root, now, now);
}

export function readSessionState(database: Database, id: string): SessionState {
  return consult(database, () => {
    const row = database.statement("SELECT id, state FROM session WHERE id = ?").get(id);
    return row === undefined ? EMPTY_SESSION : stateIn(row);
  });
}

export function readSessionSlot(
  database: Database,
  id: string,
  command: string,
): JsonValue | undefined {
  return consult(database, () => {
    const query = "SELECT value FROM slot WHERE session_id = ? AND command = ?";
    const row = database.statement(query).get(id, command);
    return row === undefined ? undefined : jsonIn(row, "value");
  });
}

/** The check and the writing are one transaction, so nobody can come in between. */
export function commitChange(database: Database, lease: Lease, change: SessionChange): void {
  const { sessionId, generation } = lease;
  transact(database, () => {
    if (!isStillQueued(database, sessionId, generation))
      throw fault("LeaseLost", { session: sessionId }, { hint: "run the command again" });
    writeState(database, sessionId, change.state);
    for (const [command, value] of change.slots ?? []) {
      const upsert = "INSERT OR REPLACE INTO slot (session_id, command, value) VALUES (?, ?, ?)";
      database.statement(upsert).run(sessionId, command, JSON.stringify(value));
    }
  });
}

function writeState(database: Database, id: string, state: SessionState | undefined): void {
  const text = state === undefined ? null : JSON.stringify(state);
  const now = new Date().toISOString();
  database
    .statement(`INSERT INTO session (id, state, created_at, updated_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET state = coalesce(excluded.state, state),
      updated_at = excluded.updated_at`)
    .run(id, text, now, now);
}

export function renameSession(database: Database, id: string, name: string): void {
  transact(database, () => {
    const holder = findNamed(database, name);
    if (holder !== null && holder !== id) {
      const what = `session name \`${name}\``;
      const problem = "another session has it";
      throw fault("InputInvalid", { what, problem }, { hint: "choose another name" });
    }
    insertSession(database, id, null);
    database.statement("UPDATE session SET name = ? WHERE id = ?").run(name, id);
  });
}

export function findSessionByName(database: Database, name: string): string | null {
  return consult(database, () => findNamed(database, name));
}

function findNamed(database: Database, name: string): string | null {
  const row = database.statement("SELECT id FROM session WHERE name = ?").get(name);
  return row === undefined ? null : textIn(row, "id");
}

/** Names, holders and times, never contents; the last used first. */
export function listSessions(database: Database): SessionRow[] {
  const now = Date.now();
  const queued = listAllQueues(database).filter((ticket) => !isGone(ticket, now));
  const queues = Map.groupBy(queued, ({ sessionId }) => sessionId);
  return consult(database, () =>
    database
      .statement(`SELECT id, name, root, created_at, updated_at FROM session
        ORDER BY updated_at DESC, id`)
      .all()
      .map((row) => describeSession(row, queues)),
  );
}

function describeSession(
  row: Row,
  queues: ReadonlyMap<string, readonly QueuedTicket[]>,
): SessionRow {
  const id = textIn(row, "id");
  const [holder, ...waiting] = queues.get(id) ?? [];
  return {
    id,
    name: textOrNullIn(row, "name"),
    root: textOrNullIn(row, "root"),
    createdAt: textIn(row, "created_at"),
    updatedAt: textIn(row, "updated_at"),
    holder: holder?.owner ?? null,
    waiting: waiting.length,
  };
}

// A session's state as it lies on the disk.

/** A session that nobody changed yet has no state of its own. */
function stateIn(row: Row): SessionState {
  if (row.state === null) return EMPTY_SESSION;
  const state = upgradeState(jsonIn(row, "state"));
  if (!isState(state))
    throw new RowDamaged(`session \`${textIn(row, "id")}\` has no readable state`);
  return state;
}

/** Version 0.3.0 and before wrote neither a mode nor rules, and `turns` that nobody ever filled. */
function upgradeState(stored: JsonValue): unknown {
  if (!isJsonObject(stored)) return stored;
  const { turns: _turns, ...state } = stored;
  return { mode: null, allow: [], ...state };
}

function isState(value: unknown): value is SessionState {
  if (!isJsonObject(value)) return false;
  const names = [value.agent, value.model, value.workflow];
  const isNamed = names.every((name) => name === null || typeof name === "string");
  const isMode = value.mode === null || APPROVAL_MODES.some((mode) => mode === value.mode);
  const isApproved = isMode && Array.isArray(value.allow);
  return isNamed && isApproved && isJsonObject(value.params);
}
