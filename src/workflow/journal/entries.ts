// The entries of a run in SQLite: what was asked, how it ended, what it cost.
import type { SQLInputValue } from "node:sqlite";
import { numberIn, type Row } from "../../core/store/row.ts";
import type { Database } from "../../core/store/sqlite.ts";
import type {
  CallUsage,
  EntryChange,
  EntryKey,
  JournalEntry,
  NewEntry,
  RunTotals,
} from "./journal.ts";
import { entryIn, keyIn, usageIn } from "./rows.ts";

const ENDED: ReadonlySet<string | undefined> = new Set(["done", "failed", "skipped", "stopped"]);

export function insertEntry(database: Database, runId: string, entry: NewEntry): number {
  const row = database
    .statement(`INSERT INTO entry (run_id, number, kind, path, content, ordinal, label, phase, asked,
      status, agent, model, session_id, begun_at)
      VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM entry WHERE run_id = ?1),
      ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running', ?9, ?10, ?11, ?12) RETURNING number`)
    .get(
      ...[runId, entry.kind, entry.path, entry.content, entry.ordinal, entry.label, entry.phase],
      ...[JSON.stringify(entry.asked), entry.agent, entry.model, entry.sessionId],
      new Date().toISOString(),
    );
  return numberIn(row ?? {}, "number");
}

/** What it cost before stays counted; how it ended before does not count any more. */
export function restartEntry(database: Database, runId: string, number: number): void {
  database
    .statement(`UPDATE entry SET status = 'running', starts = starts + 1, result = NULL,
      problem = NULL, requested = NULL, waiting = NULL, ended_at = NULL WHERE run_id = ? AND number = ?`)
    .run(runId, number);
}

export function updateEntry(
  database: Database,
  runId: string,
  number: number,
  change: EntryChange,
): void {
  const sets = entrySets(change);
  if (sets.length === 0) return;
  database
    .statement(
      `UPDATE entry SET ${sets.map(([set]) => set).join(", ")} WHERE run_id = ? AND number = ?`,
    )
    .run(...sets.map(([, value]) => value), runId, number);
}

type Assignment = readonly [set: string, value: SQLInputValue];

function entrySets(change: EntryChange): Assignment[] {
  const sets: Assignment[] = [];
  if (change.status !== undefined) {
    const endedAt = ENDED.has(change.status) ? new Date().toISOString() : null;
    sets.push(["status = ?", change.status], ["ended_at = ?", endedAt]);
  }
  if (change.result !== undefined) sets.push(["result = ?", JSON.stringify(change.result)]);
  if (change.problem !== undefined) sets.push(["problem = ?", jsonOrNull(change.problem)]);
  if (change.sessionId !== undefined) sets.push(["session_id = ?", change.sessionId]);
  if (change.conversation !== undefined) sets.push(["conversation = ?", change.conversation]);
  if (change.runId !== undefined)
    sets.push(["run_ids = json_insert(run_ids, '$[#]', ?)", change.runId]);
  if (change.worktree !== undefined) sets.push(["worktree = ?", jsonOrNull(change.worktree)]);
  if (change.usage !== undefined) sets.push(["usage = ?", JSON.stringify(change.usage)]);
  if (change.waiting !== undefined) sets.push(["waiting = ?", change.waiting]);
  if (change.requested !== undefined) sets.push(["requested = ?", change.requested]);
  return sets;
}

export const jsonOrNull = (value: object | null): string | null =>
  value === null ? null : JSON.stringify(value);

export const selectEntries = (database: Database, runId: string): JournalEntry[] =>
  database
    .statement("SELECT * FROM entry WHERE run_id = ? ORDER BY number")
    .all(runId)
    .map(entryIn);

export function selectEntry(
  database: Database,
  runId: string,
  number: number,
): JournalEntry | null {
  const row = database
    .statement("SELECT * FROM entry WHERE run_id = ? AND number = ?")
    .get(runId, number);
  return row === undefined ? null : entryIn(row);
}

const KEY = "number, kind, path, content, ordinal, status, starts, requested";

export const selectKeys = (database: Database, runId: string): EntryKey[] =>
  database
    .statement(`SELECT ${KEY} FROM entry WHERE run_id = ? ORDER BY number`)
    .all(runId)
    .map(keyIn);

export const selectRequested = (database: Database, runId: string): EntryKey[] =>
  database
    .statement(
      `SELECT ${KEY} FROM entry WHERE run_id = ? AND requested IS NOT NULL ORDER BY number`,
    )
    .all(runId)
    .map(keyIn);

const sumOf = (field: string): string => `coalesce(sum(json_extract(usage, '$.${field}')), 0)`;

export function sumEntries(database: Database, runId: string): RunTotals {
  const row: Row =
    database
      .statement(`SELECT count(*) AS calls, count(*) FILTER (WHERE status = 'done') AS done,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        count(*) FILTER (WHERE status = 'skipped') AS skipped,
        count(*) FILTER (WHERE status = 'running') AS running,
        ${sumOf("inputTokens")} AS input, ${sumOf("outputTokens")} AS output,
        CAST(${sumOf("costUsd")} AS REAL) AS usd,
        count(*) FILTER (WHERE usage IS NOT NULL AND json_extract(usage, '$.costUsd') IS NULL) AS silent
        FROM entry WHERE run_id = ? AND kind = 'agent'`)
      .get(runId) ?? {};
  const statedUsd = numberIn(row, "usd");
  return {
    calls: numberIn(row, "calls"),
    done: numberIn(row, "done"),
    failed: numberIn(row, "failed"),
    skipped: numberIn(row, "skipped"),
    running: numberIn(row, "running"),
    inputTokens: numberIn(row, "input"),
    outputTokens: numberIn(row, "output"),
    costUsd: numberIn(row, "silent") > 0 ? null : statedUsd,
    statedUsd,
  };
}

/** More would not make the estimate better, and what is older is less like it. */
const MAX_ALIKE = 100;

export const selectAlike = (database: Database, agent: string, model: string | null): CallUsage[] =>
  database
    .statement(`SELECT usage FROM entry WHERE agent = ? AND model IS ? AND status = 'done'
      AND usage IS NOT NULL ORDER BY ended_at DESC LIMIT ${MAX_ALIKE}`)
    .all(agent, model)
    .map(usageIn);
