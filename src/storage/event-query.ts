// Reads events page by page, in order: no read transaction stays open while the caller works.
import type { SQLInputValue } from "node:sqlite";
import type { StoredEvent } from "../dispatch/event.ts";
import { EVENT_COLUMNS, eventIn } from "./event-row.ts";
import { numberIn, type Row } from "./row.ts";
import { consult, type Database } from "./sqlite.ts";
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
