// Which trial is next, under the limits that count over all workers.
import { HEARTBEAT_LAPSE_MS, type WorkerFacts } from "../bench/queue.ts";
import type { TrialPlan } from "../bench/trial.ts";
import { planIn } from "./bench-row.ts";
import { numberIn, textIn } from "./row.ts";
import type { Database } from "./sqlite.ts";

/** What silent workers held goes back into the queue. */
export function lapseClaims(database: Database, now: number): void {
  database
    .statement(
      "UPDATE trial SET state = 'queued', token = NULL WHERE state = 'claimed' AND heartbeat_at < ?",
    )
    .run(now - HEARTBEAT_LAPSE_MS);
}

const MINUTE_MS = 60_000;

export function findCandidate(
  database: Database,
  worker: WorkerFacts,
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
  { labels, now }: WorkerFacts,
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
export function openTrials(database: Database, runId: string): number {
  const query = `SELECT count(*) AS open FROM trial JOIN run ON run.id = trial.run_id
    WHERE run_id = ? AND trial.state <> 'done' AND run.state = 'running'`;
  const row = database.statement(query).get(runId);
  return row === undefined ? 0 : numberIn(row, "open");
}

export function isOverBudget(database: Database, runId: string): boolean {
  const query = `SELECT usd_limit <= (SELECT coalesce(sum(cost_usd), 0) FROM result WHERE run_id = run.id) AS over
    FROM run WHERE id = ? AND usd_limit IS NOT NULL`;
  return database.statement(query).get(runId)?.over === 1;
}
