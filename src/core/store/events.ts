// Events as rows: what filters and order need stands in columns, the rest is one JSON text. They are read page by
// page, in order: no read transaction stays open while the caller works.
import type { SQLInputValue } from "node:sqlite";
import type { NewEvent, StoredEvent } from "../command/event.ts";
import type { Origin } from "../command/request.ts";
import { isJsonObject } from "../project/json-value.ts";
import { jsonIn, numberIn, type Row, textIn, textOrNullIn } from "./row.ts";
import { consult, type Database } from "./sqlite.ts";
import { RowDamaged } from "./storage-fault.ts";
import type { EventFilter } from "./stores.ts";

const PAGE_SIZE = 200;

interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** What was there when the reading began; events that come later are not waited for. */
export function* readEvents(database: Database, filter: EventFilter): Generator<StoredEvent> {
  const conditions = describeConditions(filter);
  let { after, upTo } = consult(database, () => findBounds(database, filter, conditions));
  let left = filter.last ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const limit = Math.min(left, PAGE_SIZE);
    const page = consult(database, () => readPage(database, conditions, [after, upTo, limit]));
    for (const event of page) yield event;
    const newest = page.at(-1);
    if (newest === undefined || page.length < limit) return;
    after = newest.seq;
    left -= page.length;
  }
}

function readPage(
  database: Database,
  { sql, values }: Conditions,
  range: readonly [after: number, upTo: number, limit: number],
): StoredEvent[] {
  const [after, upTo, limit] = range;
  const query = `SELECT ${EVENT_COLUMNS} FROM event
    WHERE seq > ? AND seq <= ? ${sql} ORDER BY seq LIMIT ?`;
  const rows = database.statement(query).all(after, upTo, ...values, limit);
  return rows.map(eventIn);
}

function describeConditions(filter: EventFilter): Conditions {
  const types = filter.types && `type IN (${filter.types.map(() => "?").join(", ")})`;
  const parts: readonly (readonly [string | undefined, readonly (string | undefined)[]])[] = [
    ["time >= ?", [filter.since]],
    ["time < ?", [filter.until]],
    [types, filter.types ?? []],
    ["session_id = ?", [filter.sessionId]],
    ["command = ?", [filter.command]],
    ["agent = ?", [filter.agent]],
    ["correlation_id = ?", [filter.correlationId]],
  ];
  const used = parts.filter(([sql, values]) => sql && values.every((value) => value !== undefined));
  return {
    sql: used.map(([sql]) => `AND ${sql}`).join(" "),
    values: used.flatMap(([, values]) => values.filter((value) => value !== undefined)),
  };
}

interface Bounds {
  readonly after: number;
  readonly upTo: number;
}

function findBounds(database: Database, filter: EventFilter, conditions: Conditions): Bounds {
  const upTo = lastSeq(database);
  const after = filter.sinceSeq ?? 0;
  if (filter.last === undefined) return { after, upTo };
  const query = `SELECT min(seq) AS first FROM (SELECT seq FROM event
    WHERE seq > ? AND seq <= ? ${conditions.sql} ORDER BY seq DESC LIMIT ?)`;
  const row = database
    .statement(query)
    .get(after, upTo, ...conditions.values, Math.max(0, filter.last));
  return { after: edgeIn(row, "first", upTo + 1) - 1, upTo };
}

function lastSeq(database: Database): number {
  return edgeIn(database.statement("SELECT max(seq) AS last FROM event").get(), "last", 0);
}

function edgeIn(row: Row | undefined, column: string, whenEmpty: number): number {
  return row === undefined || row[column] === null ? whenEmpty : numberIn(row, column);
}

const INSERT = `INSERT INTO event (time, type, correlation_id, session_id, command, agent, body)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const EVENT_COLUMNS = "seq, time, type, correlation_id, session_id, body";

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

function eventIn(row: Row): StoredEvent {
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
