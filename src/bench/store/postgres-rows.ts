// Runs, trials and results as rows of PostgreSQL.
import { randomUUID } from "node:crypto";
import { numberIn, textIn } from "../../core/store/row.ts";
import type { NewJob } from "../../queue/queue.ts";
import type { Queryable } from "../../queue/server.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import type { SuiteRunRecord } from "./store.ts";

/** False where there is a run with its id. */
export async function insertPostgresRun(inside: Queryable, run: SuiteRunRecord): Promise<boolean> {
  const rows = await inside.query(
    `INSERT INTO adjutant_bench.run (id, suite, suite_file, started_at, finished_at, state, trials,
       definition, concurrency, usd_limit) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...[run.id, run.suite, run.suiteFile, run.startedAt, run.finishedAt, run.state, run.trials],
      ...[run.definition, run.concurrency, run.usdLimit],
    ],
  );
  return rows.length > 0;
}

/** So many rows in one statement: a suite of thousands is not sent as one. */
const BATCH = 500;

/** Answers with the jobs of those that are to be run. */
export async function insertPostgresPlans(
  inside: Queryable,
  plans: readonly TrialPlan[],
  done: ReadonlySet<string>,
): Promise<NewJob[]> {
  const jobs: NewJob[] = [];
  for (const batch of batchesOf(plans.map((plan, place) => ({ plan, place })))) {
    const rows = await inside.query(
      `INSERT INTO adjutant_bench.trial (run_id, key, place, agent_id, agent_limit, agent_rate,
         labels, plan, job_id)
       SELECT * FROM json_to_recordset($1) AS made (run_id text, key text, place integer,
         agent_id text, agent_limit integer, agent_rate integer, labels text[], plan text,
         job_id uuid)
       RETURNING agent_id, job_id, job_number`,
      [JSON.stringify(batch.map(({ plan, place }) => trialRow(plan, place, done.has(plan.key))))],
    );
    for (const row of rows)
      if (row.job_id !== null)
        jobs.push({
          id: textIn(row, "job_id"),
          number: numberIn(row, "job_number"),
          group: textIn(row, "agent_id"),
        });
  }
  return jobs;
}

const trialRow = (plan: TrialPlan, place: number, isDone: boolean) => ({
  run_id: plan.runId,
  key: plan.key,
  place,
  agent_id: plan.agent.id,
  agent_limit: plan.agent.concurrency,
  agent_rate: plan.agent.ratePerMinute,
  labels: plan.case.labels,
  plan: JSON.stringify(plan),
  job_id: isDone ? null : randomUUID(),
});

export async function insertPostgresResults(
  inside: Queryable,
  results: readonly TrialResult[],
): Promise<void> {
  for (const batch of batchesOf(results))
    await inside.query(
      `INSERT INTO adjutant_bench.result (run_id, key, fingerprint, ending, cost_usd, started_at, result)
       SELECT * FROM json_to_recordset($1) AS made (run_id text, key text, fingerprint text,
         ending text, cost_usd double precision, started_at text, result text)`,
      [JSON.stringify(batch.map(resultRow))],
    );
}

const resultRow = (result: TrialResult) => ({
  run_id: result.runId,
  key: result.key,
  fingerprint: result.fingerprint,
  ending: result.ending,
  cost_usd: result.costUsd,
  started_at: result.startedAt,
  result: JSON.stringify(result),
});

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(at * BATCH, (at + 1) * BATCH),
  );
