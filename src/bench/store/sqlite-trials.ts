// Trials in `bench.db`: claimed, kept alive, completed or given back.
import { randomUUID } from "node:crypto";
import { numberIn, textIn } from "../../core/store/row.ts";
import { consult, type Database, transact } from "../../core/store/sqlite.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import { insertResult, planIn, resultIn } from "./rows.ts";
import {
  type BenchStore,
  type ClaimAnswer,
  type ClaimingWorker,
  HEARTBEAT_LAPSE_MS,
  type TrialClaim,
} from "./store.ts";

export function sqliteTrials(
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
  const changeHeld = (sql: string, { plan, token }: TrialClaim, ...values: (number | string)[]) =>
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
        if (isHeld) insertResult(database, result);
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

function claimNext(database: Database, worker: ClaimingWorker, runId: string | null): ClaimAnswer {
  const now = worker.now.getTime();
  releaseSilentClaims(database, now);
  const found = findCandidate(database, worker, runId);
  if (found !== null) return { kind: "claimed", claim: takeTrial(database, found, worker) };
  if (runId !== null && openTrials(database, runId) === 0) return { kind: "finished" };
  return { kind: "wait", ms: 200 };
}

function takeTrial(database: Database, plan: TrialPlan, { id, now }: ClaimingWorker): TrialClaim {
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

// Which trial is next, under the limits that count over all workers.

/** What silent workers held goes back into the queue. */
function releaseSilentClaims(database: Database, now: number): void {
  database
    .statement(
      "UPDATE trial SET state = 'queued', token = NULL WHERE state = 'claimed' AND heartbeat_at < ?",
    )
    .run(now - HEARTBEAT_LAPSE_MS);
}

const MINUTE_MS = 60_000;

function findCandidate(
  database: Database,
  worker: ClaimingWorker,
  runId: string | null,
): TrialPlan | null {
  const runs = database
    .statement(
      `SELECT id FROM run WHERE state = 'running' AND (:run IS NULL OR id = :run)
         AND (SELECT count(*) FROM trial AS busy
              WHERE busy.run_id = run.id AND busy.state = 'claimed') < concurrency + :ahead
       ORDER BY started_at`,
    )
    .all({ run: runId, ahead: worker.ahead ?? 0 });
  for (const run of runs) {
    const found = findInRun(database, worker, textIn(run, "id"));
    if (found !== null) return found;
  }
  return null;
}

/** Runs and trials are looked up apart: together SQLite sorts all that wait before it takes the first. */
function findInRun(
  database: Database,
  { labels, now }: ClaimingWorker,
  runId: string,
): TrialPlan | null {
  const at = now.getTime();
  const row = database
    .statement(
      `SELECT plan FROM trial
       WHERE run_id = :run AND state = 'queued' AND not_before <= :now
         AND (agent_limit IS NULL OR agent_limit >
              (SELECT count(*) FROM trial AS busy
               WHERE busy.agent_id = trial.agent_id AND busy.state = 'claimed'))
         AND (agent_rate IS NULL OR agent_rate >
              (SELECT count(*) FROM trial AS begun
               WHERE begun.agent_id = trial.agent_id AND begun.started_ms > :minute))
         AND NOT EXISTS (SELECT 1 FROM json_each(trial.labels) AS label
              WHERE label.value NOT IN (SELECT value FROM json_each(:labels)))
       ORDER BY place LIMIT 1`,
    )
    .get({ run: runId, now: at, minute: at - MINUTE_MS, labels: JSON.stringify(labels) });
  return row === undefined ? null : planIn(row);
}

/** Trials without a result in a run that still runs. */
function openTrials(database: Database, runId: string): number {
  const query = `SELECT count(*) AS open FROM trial JOIN run ON run.id = trial.run_id
    WHERE run_id = ? AND trial.state <> 'done' AND run.state = 'running'`;
  const row = database.statement(query).get(runId);
  return row === undefined ? 0 : numberIn(row, "open");
}

function isOverBudget(database: Database, runId: string): boolean {
  const query = `SELECT usd_limit <= (SELECT coalesce(sum(cost_usd), 0) FROM result WHERE run_id = run.id) AS over
    FROM run WHERE id = ? AND usd_limit IS NOT NULL`;
  return database.statement(query).get(runId)?.over === 1;
}
