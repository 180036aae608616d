// `bench.db`: runs of suites, the queue of their trials, the results, and files by their content.

import { join } from "node:path";
import { sha256 } from "../../core/project/fingerprint.ts";
import { consult, type Database, openDatabase, transact } from "../../core/store/sqlite.ts";
import { insertResult, insertRun, insertTrial, readRunRow } from "./rows.ts";
import { sqliteTrials } from "./sqlite-trials.ts";
import type { BenchStore } from "./store.ts";

const MIGRATIONS = [
  `CREATE TABLE run (
     id TEXT PRIMARY KEY,
     suite TEXT NOT NULL,
     suite_file TEXT NOT NULL,
     started_at TEXT NOT NULL,
     finished_at TEXT,
     state TEXT NOT NULL,
     trials INTEGER NOT NULL,
     definition TEXT NOT NULL,
     concurrency INTEGER NOT NULL,
     usd_limit REAL
   ) STRICT;
   CREATE TABLE trial (
     run_id TEXT NOT NULL,
     key TEXT NOT NULL,
     place INTEGER NOT NULL,
     agent_id TEXT NOT NULL,
     agent_limit INTEGER,
     agent_rate INTEGER,
     labels TEXT NOT NULL,
     plan TEXT NOT NULL,
     state TEXT NOT NULL,
     attempt INTEGER NOT NULL,
     not_before INTEGER NOT NULL,
     token TEXT,
     worker TEXT,
     heartbeat_at INTEGER,
     started_ms INTEGER,
     PRIMARY KEY (run_id, key)
   ) STRICT;
   CREATE INDEX trial_waiting ON trial (run_id, state, place);
   CREATE TABLE result (
     run_id TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     ending TEXT NOT NULL,
     cost_usd REAL,
     started_at TEXT NOT NULL,
     result TEXT NOT NULL,
     PRIMARY KEY (run_id, key)
   ) STRICT;
   CREATE INDEX result_by_fingerprint ON result (fingerprint);
   CREATE TABLE content (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;`,
  `CREATE INDEX trial_claimed ON trial (agent_id, heartbeat_at) WHERE state = 'claimed';
   CREATE INDEX trial_begun ON trial (agent_id, started_ms) WHERE started_ms IS NOT NULL;
   ALTER TABLE content ADD COLUMN put_at INTEGER NOT NULL DEFAULT 0;`,
];

/** Opens `bench.db` in the state folder, made when it is not there. */
export function openBench(stateDir: string): BenchStore {
  const database = openDatabase({ path: join(stateDir, "bench.db"), migrations: MIGRATIONS });
  return {
    hintFlag: "",
    ...sqliteRuns(database),
    ...sqliteTrials(database),
    ...sqliteContent(database),
    close: async () => consult(database, () => database.close()),
  };
}

/** A file of a plan is a hash, with a mark behind it where it can be executed. */
const REMOVE_UNUSED = `DELETE FROM content WHERE put_at < ? AND hash NOT IN (
  SELECT kept.value FROM result, json_each(result.result, '$.artifacts') AS kept
  UNION SELECT substr(file.value, 1, 64) FROM trial, json_each(trial.plan, '$.files') AS file
  WHERE file.value IS NOT NULL)`;

function sqliteRuns(
  database: Database,
): Pick<
  BenchStore,
  "createRun" | "cancelRun" | "finishRun" | "removeRun" | "findRun" | "listRuns"
> {
  const setState = (state: string, runId: string, at: string | null): void => {
    const update = "UPDATE run SET state = ?, finished_at = coalesce(?, finished_at) WHERE id = ?";
    transact(database, () => database.statement(update).run(state, at, runId));
  };
  return {
    createRun: async (run, plans, known) =>
      transact(database, () => {
        insertRun(database, run);
        const done = new Set(known.map(({ key }) => key));
        for (const [place, plan] of plans.entries())
          insertTrial(database, plan, { place, isDone: done.has(plan.key) });
        for (const result of known) insertResult(database, result);
      }),
    cancelRun: async (runId) => setState("cancelled", runId, null),
    finishRun: async (runId, at) => {
      const run = await sqliteRuns(database).findRun(runId);
      setState(run?.state === "cancelled" ? "cancelled" : "done", runId, at);
    },
    removeRun: async (runId, putBefore) =>
      transact(database, () => {
        for (const table of ["result", "trial"])
          database.statement(`DELETE FROM ${table} WHERE run_id = ?`).run(runId);
        database.statement("DELETE FROM run WHERE id = ?").run(runId);
        database.statement(REMOVE_UNUSED).run(putBefore.getTime());
      }),
    findRun: async (runId) =>
      consult(database, () => {
        const row = database.statement("SELECT * FROM run WHERE id = ?").get(runId);
        return row === undefined ? null : readRunRow(row);
      }),
    listRuns: async (suite) =>
      consult(database, () =>
        database
          .statement("SELECT * FROM run WHERE ?1 IS NULL OR suite = ?1 ORDER BY started_at, rowid")
          .all(suite)
          .map(readRunRow),
      ),
  };
}

function sqliteContent(database: Database): Pick<BenchStore, "putContent" | "getContent"> {
  return {
    putContent: async (bytes) => {
      const hash = sha256(bytes);
      const insert = `INSERT INTO content (hash, bytes, put_at) VALUES (?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET put_at = excluded.put_at`;
      transact(database, () => database.statement(insert).run(hash, bytes, Date.now()));
      return hash;
    },
    getContent: async (hash) =>
      consult(database, () => {
        const row = database.statement("SELECT bytes FROM content WHERE hash = ?").get(hash);
        return row?.bytes instanceof Uint8Array ? row.bytes : null;
      }),
  };
}
