// Which trial is next, under the limits that count over all workers.
import { HEARTBEAT_LAPSE_MS, type WorkerFacts } from "../bench/queue.ts";
import type { TrialPlan } from "../bench/trial.ts";
import { planIn } from "./bench-row.ts";
import { numberIn } from "./row.ts";
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
  { labels, now }: WorkerFacts,
  runId: string | null,
): TrialPlan | null {
  const at = now.getTime();
  const row = database
    .statement(
      `SELECT trial.plan FROM run JOIN trial ON trial.run_id = run.id
       WHERE run.state = 'running' AND trial.state = 'queued' AND trial.not_before <= :now
         AND (:run IS NULL OR run.id = :run)
         AND (SELECT count(*) FROM trial AS busy
              WHERE busy.run_id = run.id AND busy.state = 'claimed') < run.concurrency
         AND (trial.agent_limit IS NULL OR trial.agent_limit >
              (SELECT count(*) FROM trial AS busy
               WHERE busy.agent_id = trial.agent_id AND busy.state = 'claimed'))
         AND (trial.agent_rate IS NULL OR trial.agent_rate >
              (SELECT count(*) FROM trial AS begun
               WHERE begun.agent_id = trial.agent_id AND begun.started_ms > :minute))
         AND NOT EXISTS (SELECT 1 FROM json_each(trial.labels) AS label
              WHERE label.value NOT IN (SELECT value FROM json_each(:labels)))
       ORDER BY run.started_at, trial.place LIMIT 1`,
    )
    .get({
      now: at,
      run: runId,
      minute: at - MINUTE_MS,
      labels: JSON.stringify(labels),
    });
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
  const query = `SELECT coalesce(sum(result.cost_usd), 0) >= run.usd_limit AS over
    FROM run LEFT JOIN result ON result.run_id = run.id WHERE run.id = ?`;
  return database.statement(query).get(runId)?.over === 1;
}
