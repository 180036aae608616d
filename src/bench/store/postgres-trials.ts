// Trials in PostgreSQL: which is next under the limits that count over all workers, and what comes of it. The
// jobs are the queue's; a trial that has no result yet names its job.
import { randomUUID } from "node:crypto";
import { numberIn, type Row, textIn } from "../../core/store/row.ts";
import type { JobClaim, NewJob, Queue } from "../../queue/queue.ts";
import { explainServerFailure, persist, type Queryable, type Server } from "../../queue/server.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import { planIn } from "./rows.ts";
import type {
  BenchStore,
  ClaimAnswer,
  ClaimingWorker,
  SuiteRunRecord,
  TrialClaim,
} from "./store.ts";

/** What every part of the store works with. */
export interface PostgresContext {
  readonly server: Server;
  readonly queue: Queue;
}

export function postgresTrials(
  context: PostgresContext,
): Pick<BenchStore, "claim" | "heartbeat" | "complete" | "retry" | "giveBack"> {
  const { server, queue } = context;
  const change = (work: (inside: Queryable) => Promise<boolean>): Promise<boolean> =>
    persist(server, () => server.transact(work));
  return {
    claim: (worker, runId) => persist(server, () => claimTrial(context, worker, runId)),
    // Once: the next one is due before another try would help.
    heartbeat: (claim) =>
      queue.heartbeat(jobOf(claim)).catch((error: unknown) => {
        throw explainServerFailure(server.name, error);
      }),
    complete: (claim, result) =>
      change(async (inside) => {
        const job = jobOf(claim);
        if (!(await queue.complete(inside, job))) return false;
        await insertPostgresResults(inside, [result]);
        const update = "UPDATE adjutant_bench.trial SET job_id = NULL WHERE job_id = $1";
        await inside.query(update, [job.id]);
        return true;
      }),
    retry: (claim, notBefore) =>
      change((inside) => {
        const delayMs = notBefore.getTime() - Date.now();
        return queue.requeue(inside, jobOf(claim), { delayMs, isTried: true });
      }),
    giveBack: (claim) =>
      change((inside) => queue.requeue(inside, jobOf(claim), { delayMs: 0, isTried: false })),
  };
}

async function claimTrial(
  { server, queue }: PostgresContext,
  { labels, now }: ClaimingWorker,
  runId: string | null,
): Promise<ClaimAnswer> {
  // The clocks of many machines need not agree: what a time is compared with is the server's own.
  const aheadMs = Math.max(0, now.getTime() - Date.now());
  const select = candidateSql(queue.jobs);
  const choose = async (inside: Queryable) => {
    const [row] = await inside.query(select, [aheadMs, runId, labels]);
    return row === undefined ? null : { number: numberIn(row, "job_number"), row };
  };
  const claimed = await queue.claim(choose, aheadMs);
  if (claimed !== null) return { kind: "claimed", claim: claimIn(claimed.chosen.row, claimed.job) };
  return (await isOpen(server, runId)) ? { kind: "wait", ms: 200 } : { kind: "finished" };
}

const claimIn = (row: Row, { id, takenBefore, attempt }: JobClaim): TrialClaim => ({
  plan: planIn(row),
  attempt,
  token: `${id}/${takenBefore}`,
  isOverBudget: numberIn(row, "over") === 1,
});

function jobOf({ token, attempt }: TrialClaim): JobClaim {
  const [id = "", takenBefore] = token.split("/");
  return { id, takenBefore: Number(takenBefore), attempt };
}

/** A run without a result for each of its trials, and not cancelled. Where any run will do there may always be one. */
async function isOpen(server: Server, runId: string | null): Promise<boolean> {
  if (runId === null) return true;
  const rows = await server.query(
    `SELECT id FROM adjutant_bench.run WHERE id = $1 AND state = 'running' AND EXISTS (
       SELECT 1 FROM adjutant_bench.trial WHERE run_id = run.id AND job_id IS NOT NULL)`,
    [runId],
  );
  return rows.length > 0;
}

/** $1 milliseconds from now, $2 run or null, $3 labels. What is begun is counted only where a rate asks for it. */
const candidateSql = (jobs: string): string => `
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp() + $1::double precision * interval '1 ms' AS at
  ), active AS MATERIALIZED (
    SELECT trial.run_id, trial.agent_id FROM ${jobs} AS job
    JOIN adjutant_bench.trial ON trial.job_id = job.id
    WHERE job.name = 'trials' AND job.state = 'active' AND job.group_id IS NOT NULL
  ), begun AS MATERIALIZED (
    SELECT group_id, count(*) AS trials FROM ${jobs}, moment
    WHERE name = 'trials' AND started_on > at - interval '1 minute' GROUP BY group_id
  )
  SELECT next.plan, next.job_number,
    (run.usd_limit IS NOT NULL AND run.usd_limit <= (
      SELECT coalesce(sum(cost_usd), 0) FROM adjutant_bench.result WHERE run_id = run.id
    ))::integer AS over
  FROM adjutant_bench.run
  CROSS JOIN LATERAL (
    SELECT trial.plan, trial.job_number FROM adjutant_bench.trial
    WHERE trial.run_id = run.id AND trial.job_id IS NOT NULL AND trial.labels <@ $3::text[]
      AND (trial.agent_limit IS NULL OR trial.agent_limit >
           (SELECT count(*) FROM active WHERE active.agent_id = trial.agent_id))
      AND (trial.agent_rate IS NULL OR trial.agent_rate >
           coalesce((SELECT trials FROM begun WHERE group_id = trial.agent_id), 0))
      AND (SELECT job.state < 'active' AND job.start_after <= (SELECT at FROM moment)
           FROM ${jobs} AS job WHERE job.name = 'trials' AND job.id = trial.job_id)
    ORDER BY trial.place LIMIT 1
  ) AS next
  WHERE run.state = 'running' AND ($2::text IS NULL OR run.id = $2)
    AND run.concurrency > (SELECT count(*) FROM active WHERE active.run_id = run.id)
  ORDER BY run.started_at, run.number LIMIT 1`;

// Runs, trials and results as rows of PostgreSQL.

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
