// An event as a row: what filters and order need in columns, the rest as one JSON text.
import type { SQLInputValue } from "node:sqlite";
import type { NewEvent, StoredEvent } from "../dispatch/event.ts";
import type { Origin } from "../dispatch/request.ts";
import { isJsonObject, jsonIn, numberIn, type Row, textIn, textOrNullIn } from "./row.ts";
import type { Database } from "./sqlite.ts";
import { RowDamaged } from "./storage-fault.ts";

const INSERT = `INSERT INTO event (time, type, correlation_id, session_id, command, agent, body)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

export const EVENT_COLUMNS = "seq, time, type, correlation_id, session_id, body";

/** One statement, so one transaction of its own where none is open. */
export function insertEvent(database: Database, event: NewEvent): StoredEvent {
  const { lastInsertRowid } = database.statement(INSERT).run(...cellsOf(event));
  return { ...event, seq: Number(lastInsertRowid) };
}

function cellsOf(event: NewEvent): SQLInputValue[] {
  const { time, type, correlationId, causationId, sessionId, origin, data } = event;
  const name = data.name;
  const command = typeof name === "string" ? name : null;
  const body = JSON.stringify({ origin, data, causationId });
  return [time, type, correlationId, sessionId, command, origin.agent ?? null, body];
}

export function findEvent(database: Database, seq: number): StoredEvent | null {
  const row = database.statement(`SELECT ${EVENT_COLUMNS} FROM event WHERE seq = ?`).get(seq);
  return row === undefined ? null : eventIn(row);
}

export function eventIn(row: Row): StoredEvent {
  const seq = numberIn(row, "seq");
  const type = textIn(row, "type");
  const body = jsonIn(row, "body");
  if (!isBody(body)) throw new RowDamaged(`event ${seq} has no origin or no data`);
  return {
    seq,
    time: textIn(row, "time"),
    type,
    correlationId: textIn(row, "correlation_id"),
    ...(body.causationId === undefined ? {} : { causationId: body.causationId }),
    sessionId: textOrNullIn(row, "session_id"),
    origin: body.origin,
    data: body.data,
  };
}

interface Body {
  readonly origin: Origin;
  readonly data: NewEvent["data"];
  readonly causationId?: string;
}

function isBody(body: unknown): body is Body {
  if (!isJsonObject(body) || !isJsonObject(body.data)) return false;
  const { origin, causationId } = body;
  const isCaused = causationId === undefined || typeof causationId === "string";
  return isCaused && isJsonObject(origin) && typeof origin.surface === "string";
}
