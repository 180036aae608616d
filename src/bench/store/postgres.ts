// Bench for many machines: runs, the queue of their trials, results and files in one PostgreSQL.

import { fault } from "../../core/command/fault.ts";
import { quoteWord } from "../../core/command/words.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { textIn } from "../../core/store/row.ts";
import { openQueue } from "../../queue/queue.ts";
import { connectServer, persist, type Queryable } from "../../queue/server.ts";
import { prepareTables, QUEUE_SCHEMA } from "./postgres-schema.ts";
import {
  insertPostgresPlans,
  insertPostgresResults,
  insertPostgresRun,
  type PostgresContext,
  postgresTrials,
} from "./postgres-trials.ts";
import { readRunRow, resultIn } from "./rows.ts";
import { type BenchStore, HEARTBEAT_LAPSE_MS } from "./store.ts";

/** A server that is not there at all is soon told from one that is being restarted. */
const OPENING_BOUND_MS = 5_000;

const QUEUE = {
  schema: QUEUE_SCHEMA,
  name: "trials",
  heartbeatSeconds: HEARTBEAT_LAPSE_MS / 1_000,
} as const;

/** Opens the tables behind `postgres://…`, made when they are not there. */
export async function openPostgresBench(
  address: string,
  {
    signal = new AbortController().signal,
    note,
  }: { readonly signal?: AbortSignal; readonly note?: (text: string) => void } = {},
): Promise<BenchStore> {
  if (!URL.canParse(address))
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem:
        "`--store` is no address; one looks like `postgres://user:password@host:5432/database`",
    });
  const server = connectServer(address, {
    application: "adjutant bench",
    signal,
    ...(note === undefined ? {} : { note }),
  });
  try {
    await persist(server, () => prepareTables(server), OPENING_BOUND_MS);
    const queue = await persist(server, () => openQueue(server, QUEUE));
    const context = { server, queue };
    return {
      hintFlag: ` --store ${quoteWord(withoutPassword(address))}`,
      ...postgresRuns(context),
      ...postgresTrials(context),
      ...postgresResults(context),
      ...postgresContent(context),
      close: async () => {
        await queue.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A line to type is seen by others; `PGPASSWORD` and `~/.pgpass` have their place for it. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password === "") return address;
  url.password = "";
  return url.href;
}

function postgresResults({ server }: PostgresContext): Pick<BenchStore, "results" | "findKnown"> {
  return {
    results: (runId) =>
      persist(server, async () => {
        const query = `SELECT result FROM adjutant_bench.result JOIN adjutant_bench.trial
          USING (run_id, key) WHERE run_id = $1 ORDER BY place`;
        return (await server.query(query, [runId])).map(resultIn);
      }),
    findKnown: (fingerprints) =>
      persist(server, async () => {
        const query = `SELECT result FROM adjutant_bench.result WHERE fingerprint = ANY($1::text[])
          AND ending NOT IN ('infra', 'cancelled') ORDER BY started_at DESC, number DESC`;
        return (await server.query(query, [fingerprints])).map(resultIn);
      }),
  };
}

function postgresContent({
  server,
}: PostgresContext): Pick<BenchStore, "putContent" | "getContent"> {
  return {
    putContent: async (bytes) => {
      const hash = sha256(bytes);
      const insert = `INSERT INTO adjutant_bench.content (hash, bytes, put_at)
        VALUES ($1, $2, clock_timestamp()) ON CONFLICT (hash) DO UPDATE SET put_at = excluded.put_at`;
      await persist(server, () => server.query(insert, [hash, Buffer.from(bytes)]));
      return hash;
    },
    getContent: (hash) =>
      persist(server, async () => {
        const query = "SELECT bytes FROM adjutant_bench.content WHERE hash = $1";
        const [row] = await server.query(query, [hash]);
        return row?.bytes instanceof Uint8Array ? row.bytes : null;
      }),
  };
}

// Runs of suites in PostgreSQL.

/** A file of a plan is a hash, with a mark behind it where it can be executed. */
const REMOVE_UNUSED = `DELETE FROM adjutant_bench.content
  WHERE put_at < clock_timestamp() + $1::double precision * interval '1 ms'
    AND hash NOT IN (
      SELECT kept.value FROM adjutant_bench.result,
        json_each_text(result.result::json -> 'artifacts') AS kept
      UNION SELECT left(file.value, 64) FROM adjutant_bench.trial,
        json_each_text(CASE json_typeof(trial.plan::json -> 'files')
          WHEN 'object' THEN trial.plan::json -> 'files' END) AS file)`;

function postgresRuns({
  server,
  queue,
}: PostgresContext): Pick<
  BenchStore,
  "createRun" | "cancelRun" | "finishRun" | "removeRun" | "findRun" | "listRuns"
> {
  const change = (work: (inside: Queryable) => Promise<void>): Promise<void> =>
    persist(server, () => server.transact(work));
  const listRows = (condition: string, value: string | null) =>
    persist(server, async () => {
      const query = `SELECT * FROM adjutant_bench.run WHERE ${condition} ORDER BY started_at, number`;
      return (await server.query(query, [value])).map(readRunRow);
    });
  return {
    createRun: async (run, plans, known) => {
      await change(async (inside) => {
        const isNew = await insertPostgresRun(inside, run);
        if (!isNew) throw new Error(`there is a run \`${run.id}\` already`);
        const done = new Set(known.map(({ key }) => key));
        await queue.enqueue(inside, await insertPostgresPlans(inside, plans, done));
        await insertPostgresResults(inside, known);
      });
      // Until it knows how many there are now, PostgreSQL 18 sorts all trials to find the next: 140 ms instead
      // of 0.2 with ten thousand.
      await persist(server, () => server.query("ANALYZE adjutant_bench.trial"));
    },
    cancelRun: (runId) =>
      change(async (inside) => {
        await inside.query("UPDATE adjutant_bench.run SET state = 'cancelled' WHERE id = $1", [
          runId,
        ]);
        await queue.cancel(inside, await listJobs(inside, runId));
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
        await queue.cancel(inside, await listJobs(inside, runId));
        for (const table of ["result", "trial"])
          await inside.query(`DELETE FROM adjutant_bench.${table} WHERE run_id = $1`, [runId]);
        await inside.query("DELETE FROM adjutant_bench.run WHERE id = $1", [runId]);
        await inside.query(REMOVE_UNUSED, [putBefore.getTime() - Date.now()]);
      }),
    findRun: async (runId) => (await listRows("id = $1", runId))[0] ?? null,
    listRuns: (suite) => listRows("$1::text IS NULL OR suite = $1", suite),
  };
}

/** Of trials that have no result yet. */
async function listJobs(inside: Queryable, runId: string): Promise<string[]> {
  const rows = await inside.query(
    "SELECT job_id FROM adjutant_bench.trial WHERE run_id = $1 AND job_id IS NOT NULL",
    [runId],
  );
  return rows.map((row) => textIn(row, "job_id"));
}
