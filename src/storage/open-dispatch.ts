// The dispatches that have begun and not ended, with the process that runs each.
import type { NewEvent, StoredEvent } from "../dispatch/event.ts";
import { identifySelf, isAlive } from "../process/identity.ts";
import { findEvent, insertEvent } from "./event-row.ts";
import { numberIn, ownerIn, type Row } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";
import type { ProcessIdentity } from "./stores.ts";

/** An owner that cannot be seen from here sends no sign of life; no command should take longer. */
export const UNSEEN_LIMIT_MS = 24 * 60 * 60 * 1_000;

interface OpenDispatch {
  /** Of the event that opened it. */
  readonly seq: number;
  readonly openedAt: number;
  readonly owner: ProcessIdentity;
}

export function openDispatch(database: Database, event: NewEvent): StoredEvent {
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
export function closeDispatch(database: Database, seq: number, event: NewEvent): StoredEvent {
  return transact(database, () => {
    const row = database
      .statement("DELETE FROM open_dispatch WHERE seq = ? RETURNING lost_seq")
      .get(seq);
    if (row === undefined) throw new Error(`dispatch ${seq} is not open`);
    const earlier = row.lost_seq === null ? null : findEvent(database, numberIn(row, "lost_seq"));
    return earlier ?? insertEvent(database, event);
  });
}

export function closeLost(
  database: Database,
  describe: (opened: StoredEvent) => NewEvent,
): StoredEvent[] {
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
