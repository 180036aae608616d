// `workflow.db`: runs of workflows and an entry per effect. What is finished is synchronised with the disk before anybody
// is told; what only begins outlives the process, and a power cut by the owner's next look at the latest.
import { join } from "node:path";
import { identifySelf, isAlive, type ProcessIdentity } from "../../core/process/identity.ts";
import { numberIn, ownerIn, type Row, textIn } from "../../core/store/row.ts";
import { consult, type Database, openDatabase } from "../../core/store/sqlite.ts";
import { isGone } from "../../core/store/tickets.ts";
import {
  insertEntry,
  jsonOrNull,
  restartEntry,
  selectAlike,
  selectEntries,
  selectEntry,
  selectKeys,
  selectRequested,
  sumEntries,
  updateEntry,
} from "./entries.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Journal, RunChange, RunClaim, RunRecord, RunWatch } from "./journal.ts";
import { controlRequestIn, JOURNAL_MIGRATIONS, runIn } from "./rows.ts";

/** An owner says so often that it lives, for those who cannot see it. */
const HEARTBEAT_MS = 2_000;

/** Opens `workflow.db` in the state folder, made when it is not there. */
export function openJournal(stateDir: string): Journal {
  const path = join(stateDir, "workflow.db");
  const database = openDatabase({ path, migrations: JOURNAL_MIGRATIONS, synchronous: "FULL" });
  const group = new GroupCommit(database);
  const read = <Result>(work: () => Result): Result => consult(database, work);
  const write = <Result>(work: () => Result): Result => group.now(work);
  return {
    addRun: (record) => write(() => insertRun(database, record)),
    readRun: (id) => read(() => selectRun(database, id)),
    listRuns: ({ root = null, last = -1 }) =>
      read(() =>
        database
          .statement(`SELECT * FROM run WHERE (?1 IS NULL OR root = ?1)
            ORDER BY created_at DESC, rowid DESC LIMIT ?2`)
          .all(root, last)
          .map(readRow),
      ),
    changeRun: (id, change) => write(() => updateRun(database, id, change)),
    claimRun: (id) => write(() => claimRun(database, id)),
    releaseRun: (id) => write(() => releaseRun(database, id)),
    watchRun: (id) => watchRun(database, id, write),
    listEntries: (runId) => read(() => selectEntries(database, runId)),
    readEntry: (runId, number) => read(() => selectEntry(database, runId, number)),
    listKeys: (runId) => read(() => selectKeys(database, runId)),
    begin: (runId, entry) => group.unsynchronised(() => insertEntry(database, runId, entry)),
    beginAgain: (runId, number) =>
      group.unsynchronised(() => restartEntry(database, runId, number)),
    change: (runId, number, change) => write(() => updateEntry(database, runId, number, change)),
    listRequested: (runId) => read(() => selectRequested(database, runId)),
    totals: (runId) => read(() => sumEntries(database, runId)),
    listAlike: (agent, model) => read(() => selectAlike(database, agent, model)),
    listPauses: () =>
      read(() =>
        database
          .statement("SELECT * FROM pause ORDER BY agent")
          .all()
          .map((row) => ({
            agent: textIn(row, "agent"),
            until: textIn(row, "until"),
            times: numberIn(row, "times"),
          })),
      ),
    writePause: (agent, pause) =>
      write(() => {
        database.statement("DELETE FROM pause WHERE agent = ?").run(agent);
        if (pause === null) return;
        database
          .statement("INSERT INTO pause (agent, until, times) VALUES (?, ?, ?)")
          .run(agent, pause.until, pause.times);
      }),
    together: (work) => group.soon(work),
    removeRuns: (before, kept) => write(() => deleteRuns(database, before, kept)),
    close: () => consult(database, () => database.close()),
  };
}

function insertRun(database: Database, record: Parameters<Journal["addRun"]>[0]): void {
  const { id, workflow, form, file, source, sourceHash, args, root, cwd, sessionId } = record;
  const { agent, model, mode, limits, atOnce, status, reason, waitingUntil, phase } = record;
  database
    .statement(`INSERT INTO run (id, workflow, form, file, source, source_hash, args, root, cwd,
      session_id, agent, model, mode, limits, at_once, status, reason, waiting_until, phase, result,
      created_at, updated_at, ended_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      ...[id, workflow, form, file, source, sourceHash, JSON.stringify(args) ?? null, root, cwd],
      ...[sessionId, agent, model, mode, JSON.stringify(limits), atOnce, status, reason],
      ...[waitingUntil, phase, JSON.stringify(record.result) ?? null],
      ...[record.createdAt, now(), record.endedAt],
    );
}

const readRow = (row: Row): RunRecord => runIn(row, findLivingOwner(row));

const now = (): string => new Date().toISOString();

function selectRun(database: Database, id: string): RunRecord | null {
  const row = database.statement("SELECT * FROM run WHERE id = ?").get(id);
  return row === undefined ? null : readRow(row);
}

const RUN_COLUMNS = [
  ["status", "status"],
  ["reason", "reason"],
  ["waitingUntil", "waiting_until"],
  ["requested", "requested"],
  ["phase", "phase"],
  ["source", "source"],
  ["sourceHash", "source_hash"],
  ["endedAt", "ended_at"],
  ["sessionId", "session_id"],
] as const;

function updateRun(database: Database, id: string, change: RunChange): void {
  const sets: (readonly [column: string, value: string | null])[] = [];
  for (const [field, column] of RUN_COLUMNS) {
    const value = change[field];
    if (value !== undefined) sets.push([column, value]);
  }
  if (change.limits !== undefined) sets.push(["limits", jsonOrNull(change.limits)]);
  if ("result" in change) sets.push(["result", JSON.stringify(change.result) ?? null]);
  const columns = [...sets.map(([column]) => `${column} = ?`), "updated_at = ?"].join(", ");
  database
    .statement(`UPDATE run SET ${columns} WHERE id = ?`)
    .run(...sets.map(([, value]) => value), now(), id);
}

/** One that cannot be seen from here, such as one of before a reboot, counts as dead after some silence. */
function findLivingOwner(row: Row): ProcessIdentity | null {
  if (row.pid === null || row.pid === undefined) return null;
  const owner = ownerIn(row);
  const seen = { ticket: 0, alive: isAlive(owner), heartbeatAt: numberIn(row, "heartbeat_at") };
  return isGone(seen, Date.now()) ? null : owner;
}

function claimRun(database: Database, id: string): RunClaim {
  const row = database.statement("SELECT * FROM run WHERE id = ?").get(id);
  const by = row === undefined ? null : findLivingOwner(row);
  if (by !== null) return { kind: "held", by };
  const { pid, startedAt, host } = identifySelf();
  database
    .statement("UPDATE run SET pid = ?, started_at = ?, host = ?, heartbeat_at = ? WHERE id = ?")
    .run(pid, startedAt, host, Date.now(), id);
  return { kind: "claimed" };
}

const OURS = "id = ? AND pid = ? AND started_at = ? AND host = ?";

function ourRun(id: string): [id: string, pid: number, startedAt: string, host: string] {
  const { pid, startedAt, host } = identifySelf();
  return [id, pid, startedAt, host];
}

function releaseRun(database: Database, id: string): void {
  beat(database, id);
  database
    .statement(`UPDATE run SET pid = NULL, started_at = NULL, host = NULL WHERE ${OURS}`)
    .run(...ourRun(id));
}

/** A machine that slept did not work meanwhile. */
function beat(database: Database, id: string): void {
  const at = Date.now();
  database
    .statement(`UPDATE run SET heartbeat_at = ?1,
      active_ms = active_ms + max(0, min(?1 - heartbeat_at, ${2 * HEARTBEAT_MS}))
      WHERE id = ?2 AND pid = ?3 AND started_at = ?4 AND host = ?5`)
    .run(at, ...ourRun(id));
}

function watchRun(
  database: Database,
  id: string,
  write: <Result>(work: () => Result) => Result,
): RunWatch {
  const query = `SELECT requested, active_ms, heartbeat_at, ${OURS.replaceAll(" = ?", " IS ?")} AS ours FROM run WHERE id = ?`;
  const row = consult(database, () => database.statement(query).get(...ourRun(id), id)) ?? {};
  const isOurs = row.ours === 1;
  if (isOurs && Date.now() - numberIn(row, "heartbeat_at") >= HEARTBEAT_MS)
    write(() => beat(database, id));
  return {
    requested: controlRequestIn(row),
    isOurs,
    activeMs: isOurs ? numberIn(row, "active_ms") : 0,
  };
}

/** Those that have ended; one that waits or was cut off can still be resumed. */
function deleteRuns(database: Database, before: string, kept: readonly string[]): number {
  const old = database
    .statement(`SELECT * FROM run WHERE updated_at < ? AND status IN ('done', 'failed', 'stopped')`)
    .all(before)
    .filter((row) => findLivingOwner(row) === null && !kept.includes(textIn(row, "id")));
  for (const row of old) {
    database.statement("DELETE FROM entry WHERE run_id = ?").run(textIn(row, "id"));
    database.statement("DELETE FROM run WHERE id = ?").run(textIn(row, "id"));
  }
  return old.length;
}
