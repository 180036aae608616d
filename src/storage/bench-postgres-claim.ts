// Which trial is next, under the limits that count over all workers.

import type { Claim } from "../bench/queue.ts";
import { HEARTBEAT_LAPSE_MS } from "../bench/queue.ts";
import type { TrialQueue } from "./bench-postgres-queue.ts";
import { beginAlone } from "./bench-postgres-schema.ts";
import type { Queryable, Server } from "./bench-postgres-server.ts";
import { planIn } from "./bench-row.ts";
import { numberIn, type Row, textIn } from "./row.ts";

export interface Wish {
  readonly token: string;
  readonly worker: string;
  readonly labels: readonly string[];
  /** Null: of any. */
  readonly runId: string | null;
  /** In milliseconds of the server's clock. */
  readonly at: number;
}

const AT = "to_timestamp($1::double precision / 1000)";
const SILENT = `state = 'claimed' AND heartbeat_at < ${AT} - interval '${HEARTBEAT_LAPSE_MS} milliseconds'`;

/** $1 now, $2 run, $3 labels */
const CANDIDATE = `
  WITH busy AS MATERIALIZED (
    SELECT agent_id, count(*) AS trials FROM adjutant_bench.trial
    WHERE state = 'claimed' GROUP BY agent_id
  ), begun AS MATERIALIZED (
    SELECT agent_id, count(*) AS trials FROM adjutant_bench.trial
    WHERE started_at > ${AT} - interval '1 minute' GROUP BY agent_id
  )
  SELECT next.run_id, next.key FROM adjutant_bench.run
  CROSS JOIN LATERAL (
    SELECT trial.run_id, trial.key FROM adjutant_bench.trial
    WHERE trial.run_id = run.id AND trial.state = 'queued'
      AND trial.not_before <= ${AT} AND trial.labels <@ $3::text[]
      AND (trial.agent_limit IS NULL OR trial.agent_limit >
           coalesce((SELECT trials FROM busy WHERE busy.agent_id = trial.agent_id), 0))
      AND (trial.agent_rate IS NULL OR trial.agent_rate >
           coalesce((SELECT trials FROM begun WHERE begun.agent_id = trial.agent_id), 0))
    ORDER BY trial.place LIMIT 1
  ) AS next
  WHERE run.state = 'running' AND ($2::text IS NULL OR run.id = $2)
    AND run.concurrency > (SELECT count(*) FROM adjutant_bench.trial
                           WHERE run_id = run.id AND state = 'claimed')
  ORDER BY run.started_at, run.number LIMIT 1`;

export interface Outlook {
  readonly hasSilent: boolean;
  readonly hasNext: boolean;
  /** Always so where any run will do. */
  readonly isOpen: boolean;
  readonly serverMs: number;
}

/** One cheap look without a lock: those who wait look often. */
export async function lookAround(server: Queryable, { at, runId, labels }: Wish): Promise<Outlook> {
  const [row = {}] = await server.query(
    `SELECT EXISTS (SELECT 1 FROM adjutant_bench.trial WHERE ${SILENT})::integer AS silent,
       EXISTS (${CANDIDATE})::integer AS next,
       ($2::text IS NULL OR EXISTS (
         SELECT 1 FROM adjutant_bench.trial JOIN adjutant_bench.run ON run.id = trial.run_id
         WHERE run_id = $2 AND trial.state <> 'done' AND run.state = 'running'
       ))::integer AS open,
       (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS clock`,
    [at, runId, labels],
  );
  const says = (column: string): boolean => numberIn(row, column) === 1;
  return {
    hasSilent: says("silent"),
    hasNext: says("next"),
    isOpen: says("open"),
    serverMs: numberIn(row, "clock"),
  };
}

/** What silent workers held goes back into the queue. */
export async function lapseClaims(server: Server, queue: TrialQueue, { at }: Wish): Promise<void> {
  await server.transact(async (inside) => {
    const rows = await inside.query(
      `UPDATE adjutant_bench.trial SET state = 'queued', token = NULL WHERE ${SILENT} RETURNING job_id`,
      [at],
    );
    const ids = rows.map((row) => textIn(row, "job_id"));
    if (ids.length > 0) await queue.giveBack(inside, ids, "the worker fell silent");
  });
}

/** One at a time over all machines: a limit is counted and used up in one go. */
export async function takeNext(
  server: Server,
  queue: TrialQueue,
  wish: Wish,
): Promise<Claim | null> {
  return server.transact(async (inside) => {
    const [row] = await inside.query(
      `WITH candidate AS (${CANDIDATE})
       UPDATE adjutant_bench.trial SET state = 'claimed', attempt = attempt + 1, token = $4,
         worker = $5, heartbeat_at = clock_timestamp(), started_at = clock_timestamp()
       FROM candidate WHERE trial.run_id = candidate.run_id AND trial.key = candidate.key
       RETURNING ${CLAIMED}`,
      [wish.at, wish.runId, wish.labels, wish.token, wish.worker],
    );
    if (row === undefined) return null;
    await queue.take(inside, numberIn(row, "job_number"));
    return claimIn(row, wish.token);
  }, beginAlone("claim"));
}

/** What was claimed by a transaction whose end was not heard of. */
export async function findClaimed(server: Queryable, token: string): Promise<Claim | null> {
  const [row] = await server.query(
    `SELECT ${CLAIMED} FROM adjutant_bench.trial WHERE state = 'claimed' AND token = $1`,
    [token],
  );
  return row === undefined ? null : claimIn(row, token);
}

const CLAIMED = `trial.plan, trial.attempt, trial.job_number,
  (SELECT usd_limit IS NOT NULL AND usd_limit <= (SELECT coalesce(sum(cost_usd), 0)
     FROM adjutant_bench.result WHERE run_id = trial.run_id AND usd_limit IS NOT NULL)
   FROM adjutant_bench.run WHERE id = trial.run_id)::integer AS over`;

const claimIn = (row: Row, token: string): Claim => ({
  plan: planIn(row),
  attempt: numberIn(row, "attempt"),
  token,
  isOverBudget: numberIn(row, "over") === 1,
});
