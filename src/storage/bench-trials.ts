// Trials in `bench.db`: claimed, kept alive, completed or given back.
import { randomUUID } from "node:crypto";
import type { BenchStore, Claim, ClaimAnswer, WorkerFacts } from "../bench/queue.ts";
import type { TrialPlan, TrialResult } from "../bench/trial.ts";
import { findCandidate, isOverBudget, lapseClaims, openTrials } from "./bench-claim.ts";
import { resultIn, writeResult } from "./bench-row.ts";
import { consult, type Database, transact } from "./sqlite.ts";

export function keepTrials(
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
