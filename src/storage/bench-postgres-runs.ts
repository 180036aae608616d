// Runs of suites in PostgreSQL.
import type { BenchStore } from "../bench/queue.ts";
import type { Desk } from "./bench-postgres-desk.ts";
import { writePlans, writeResults, writeRun } from "./bench-postgres-row.ts";
import { persist, type Queryable } from "./bench-postgres-server.ts";
import { readRun } from "./bench-row.ts";
import { textIn } from "./row.ts";

/** A file of a plan is a hash, with a mark behind it where it can be executed. */
const REMOVE_UNUSED = `DELETE FROM adjutant_bench.content
  WHERE put_at < to_timestamp($1::double precision / 1000)
    AND hash NOT IN (
      SELECT kept.value FROM adjutant_bench.result,
        json_each_text(result.result::json -> 'artifacts') AS kept
      UNION SELECT left(file.value, 64) FROM adjutant_bench.trial,
        json_each_text(CASE json_typeof(trial.plan::json -> 'files')
          WHEN 'object' THEN trial.plan::json -> 'files' END) AS file)`;

export function keepRuns({
  server,
  queue,
  clock,
}: Desk): Pick<
  BenchStore,
  "createRun" | "cancelRun" | "finishRun" | "removeRun" | "findRun" | "listRuns"
> {
  const change = (work: (inside: Queryable) => Promise<void>): Promise<void> =>
    persist(server, () => server.transact(work));
  const listRows = (condition: string, value: string | null) =>
    persist(server, async () => {
      const query = `SELECT * FROM adjutant_bench.run WHERE ${condition} ORDER BY started_at, number`;
      return (await server.query(query, [value])).map(readRun);
    });
  return {
    createRun: (run, plans, known) =>
      persist(server, (isAgain) =>
        server.transact(async (inside) => {
          const isNew = await writeRun(inside, run);
          // There already: the first try was kept, only its answer was lost.
          if (!isNew && isAgain) return;
          if (!isNew) throw new Error(`there is a run \`${run.id}\` already`);
          const done = new Set(known.map(({ key }) => key));
          await queue.add(inside, await writePlans(inside, plans, done));
          await writeResults(inside, known);
        }),
      ),
    cancelRun: (runId) =>
      change(async (inside) => {
        await inside.query("UPDATE adjutant_bench.run SET state = 'cancelled' WHERE id = $1", [
          runId,
        ]);
        const waiting = await inside.query(
          "SELECT job_id FROM adjutant_bench.trial WHERE run_id = $1 AND state = 'queued'",
          [runId],
        );
        await queue.cancel(
          inside,
          waiting.map((row) => textIn(row, "job_id")),
        );
      }),
    finishRun: (runId, at) =>
      change(async (inside) => {
        await inside.query(
          `UPDATE adjutant_bench.run SET finished_at = $2,
             state = CASE state WHEN 'cancelled' THEN state ELSE 'done' END WHERE id = $1`,
          [runId, at],
        );
      }),
    removeRun: (runId, putBefore) =>
      change(async (inside) => {
        for (const table of ["result", "trial"])
          await inside.query(`DELETE FROM adjutant_bench.${table} WHERE run_id = $1`, [runId]);
        await inside.query("DELETE FROM adjutant_bench.run WHERE id = $1", [runId]);
        await inside.query(REMOVE_UNUSED, [clock.toServer(putBefore)]);
      }),
    findRun: async (runId) => (await listRows("id = $1", runId))[0] ?? null,
    listRuns: (suite) => listRows("$1::text IS NULL OR suite = $1", suite),
  };
}
