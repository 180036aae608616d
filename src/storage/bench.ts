// `bench.db`: runs of suites, the queue of their trials, the results, and files by their content.
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { BenchStore, Claim, ClaimAnswer, WorkerFacts } from "../bench/queue.ts";
import type { TrialPlan, TrialResult } from "../bench/trial.ts";
import { findCandidate, isOverBudget, lapseClaims, openTrials } from "./bench-claim.ts";
import { readRun, resultIn, writeResult, writeRun, writeTrial } from "./bench-row.ts";
import { consult, type Database, openDatabase, transact } from "./sqlite.ts";

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
   CREATE INDEX trial_begun ON trial (agent_id, started_ms) WHERE started_ms IS NOT NULL;`,
];

/** Opens `bench.db` in the state folder, made when it is not there. */
export function openBench(stateDir: string): BenchStore {
  const database = openDatabase({ path: join(stateDir, "bench.db"), migrations: MIGRATIONS });
  return {
    ...keepRuns(database),
    ...keepTrials(database),
    ...keepContent(database),
    close: async () => consult(database, () => database.close()),
  };
}

function keepRuns(
  database: Database,
): Pick<BenchStore, "createRun" | "cancelRun" | "finishRun" | "findRun" | "listRuns"> {
  const setState = (state: string, runId: string, at: string | null): void => {
    const update = "UPDATE run SET state = ?, finished_at = coalesce(?, finished_at) WHERE id = ?";
    transact(database, () => database.statement(update).run(state, at, runId));
  };
  return {
    createRun: async (run, plans, known) =>
      transact(database, () => {
        writeRun(database, run);
        const done = new Set(known.map(({ key }) => key));
        for (const [place, plan] of plans.entries())
          writeTrial(database, plan, { place, isDone: done.has(plan.key) });
        for (const result of known) writeResult(database, result);
      }),
    cancelRun: async (runId) => setState("cancelled", runId, null),
    finishRun: async (runId, at) => {
      const run = await keepRuns(database).findRun(runId);
      setState(run?.state === "cancelled" ? "cancelled" : "done", runId, at);
    },
    findRun: async (runId) =>
      consult(database, () => {
        const row = database.statement("SELECT * FROM run WHERE id = ?").get(runId);
        return row === undefined ? null : readRun(row);
      }),
    listRuns: async (suite) =>
      consult(database, () =>
        database
          .statement("SELECT * FROM run WHERE ?1 IS NULL OR suite = ?1 ORDER BY started_at, rowid")
          .all(suite)
          .map(readRun),
      ),
  };
}

function keepTrials(
  database: Database,
): Pick<
  BenchStore,
  | "claim"
  | "heartbeat"
  | "complete"
  | "retry"
  | "giveBack"
  | "releaseClaims"
  | "results"
  | "findKnown"
> {
  const changeHeld = (sql: string, { plan, token }: Claim, ...values: (number | string)[]) =>
    Number(database.statement(sql).run(...values, plan.runId, plan.key, token).changes) > 0;
  return {
    claim: async (worker, runId) => transact(database, () => claimNext(database, worker, runId)),
    heartbeat: async (claim) =>
      transact(database, () =>
        changeHeld(
          `UPDATE trial SET heartbeat_at = ? WHERE run_id = ? AND key = ? AND token = ?
           AND (SELECT state FROM run WHERE id = trial.run_id) = 'running'`,
          claim,
          Date.now(),
        ),
      ),
    complete: async (claim, result) =>
      transact(database, () => {
        const isHeld = changeHeld(
          "UPDATE trial SET state = 'done', token = NULL WHERE run_id = ? AND key = ? AND token = ?",
          claim,
        );
        if (isHeld) writeResult(database, result);
        return isHeld;
      }),
    retry: async (claim, notBefore) =>
      transact(database, () =>
        changeHeld(
          `UPDATE trial SET state = 'queued', token = NULL, not_before = ?
           WHERE run_id = ? AND key = ? AND token = ?`,
          claim,
          notBefore.getTime(),
        ),
      ),
    giveBack: async (claim) =>
      transact(database, () =>
        changeHeld(
          `UPDATE trial SET state = 'queued', token = NULL, attempt = attempt - 1
           WHERE run_id = ? AND key = ? AND token = ?`,
          claim,
        ),
      ),
    releaseClaims: async (runId) =>
      transact(database, () => {
        const update = `UPDATE trial SET state = 'queued', token = NULL, attempt = attempt - 1
          WHERE run_id = ? AND state = 'claimed'`;
        database.statement(update).run(runId);
      }),
    results: async (runId) =>
      consult(database, () =>
        database
          .statement(
            `SELECT result FROM result JOIN trial USING (run_id, key)
             WHERE run_id = ? ORDER BY place`,
          )
          .all(runId)
          .map(resultIn),
      ),
    findKnown: async (fingerprints) => consult(database, () => findKnown(database, fingerprints)),
  };
}

function claimNext(database: Database, worker: WorkerFacts, runId: string | null): ClaimAnswer {
  const now = worker.now.getTime();
  lapseClaims(database, now);
  const found = findCandidate(database, worker, runId);
  if (found !== null) return { kind: "claimed", claim: takeTrial(database, found, worker) };
  if (runId !== null && openTrials(database, runId) === 0) return { kind: "finished" };
  return { kind: "wait", ms: 200 };
}

function takeTrial(database: Database, plan: TrialPlan, { id, now }: WorkerFacts): Claim {
  const token = randomUUID();
  const update = `UPDATE trial SET state = 'claimed', attempt = attempt + 1, token = ?, worker = ?,
    heartbeat_at = ?, started_ms = ? WHERE run_id = ? AND key = ? RETURNING attempt`;
  const at = now.getTime();
  const row = database.statement(update).get(token, id, at, at, plan.runId, plan.key);
  const attempt = Number(row?.attempt);
  return { plan, attempt, token, isOverBudget: isOverBudget(database, plan.runId) };
}

/** What could not run is not known. */
function findKnown(database: Database, fingerprints: readonly string[]): TrialResult[] {
  const query = `SELECT result FROM result WHERE fingerprint IN (SELECT value FROM json_each(?))
    AND ending NOT IN ('infra', 'cancelled') ORDER BY started_at DESC, rowid DESC`;
  return database.statement(query).all(JSON.stringify(fingerprints)).map(resultIn);
}

function keepContent(database: Database): Pick<BenchStore, "putContent" | "getContent"> {
  return {
    putContent: async (bytes) => {
      const hash = createHash("sha256").update(bytes).digest("hex");
      const insert = "INSERT OR IGNORE INTO content (hash, bytes) VALUES (?, ?)";
      transact(database, () => database.statement(insert).run(hash, bytes));
      return hash;
    },
    getContent: async (hash) =>
      consult(database, () => {
        const row = database.statement("SELECT bytes FROM content WHERE hash = ?").get(hash);
        return row?.bytes instanceof Uint8Array ? row.bytes : null;
      }),
  };
}
