import { randomUUID } from "node:crypto";
import type { Claim, RunRecord } from "../bench/queue.ts";
import type { TrialPlan, TrialResult } from "../bench/trial.ts";
import type { TrialJob } from "./bench-postgres-queue.ts";
import type { Queryable } from "./bench-postgres-server.ts";
import { numberIn, textIn } from "./row.ts";

/** False where there is a run with its id. */
export async function writeRun(inside: Queryable, run: RunRecord): Promise<boolean> {
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
export async function writePlans(
  inside: Queryable,
  plans: readonly TrialPlan[],
  done: ReadonlySet<string>,
): Promise<TrialJob[]> {
  const jobs: TrialJob[] = [];
  for (const batch of batchesOf(plans.map((plan, place) => ({ plan, place })))) {
    const rows = await inside.query(
      `INSERT INTO adjutant_bench.trial (run_id, key, place, agent_id, agent_limit, agent_rate,
         labels, plan, state, job_id)
       SELECT * FROM json_to_recordset($1) AS made (run_id text, key text, place integer,
         agent_id text, agent_limit integer, agent_rate integer, labels text[], plan text,
         state text, job_id uuid)
       RETURNING run_id, key, state, job_id, job_number`,
      [JSON.stringify(batch.map(({ plan, place }) => trialRow(plan, place, done.has(plan.key))))],
    );
    for (const row of rows)
      if (row.state === "queued")
        jobs.push({
          id: textIn(row, "job_id"),
          number: numberIn(row, "job_number"),
          runId: textIn(row, "run_id"),
          key: textIn(row, "key"),
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
  state: isDone ? "done" : "queued",
  job_id: randomUUID(),
});

export async function writeResults(
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

/** It was this very claim that left the trial so, in a transaction whose end was not heard of. */
export async function isLeftBy(
  inside: Queryable,
  { plan, token }: Claim,
  state: "done" | "queued",
): Promise<boolean> {
  const rows = await inside.query(
    `SELECT key FROM adjutant_bench.trial
     WHERE run_id = $1 AND key = $2 AND token = $3 AND state = $4`,
    [plan.runId, plan.key, token, state],
  );
  return rows.length > 0;
}
