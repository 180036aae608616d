// Bench for many machines: runs, the queue of their trials, results and files in one PostgreSQL.
import { createHash } from "node:crypto";
import type { BenchStore } from "../bench/queue.ts";
import { fault } from "../command/fault.ts";
import { createServerClock } from "./bench-postgres-clock.ts";
import type { Desk } from "./bench-postgres-desk.ts";
import { openQueue } from "./bench-postgres-queue.ts";
import { keepRuns } from "./bench-postgres-runs.ts";
import { beginAlone, prepareTables } from "./bench-postgres-schema.ts";
import { connectServer, persist } from "./bench-postgres-server.ts";
import { keepTrials } from "./bench-postgres-trials.ts";
import { resultIn } from "./bench-row.ts";

/** A server that is not there at all is soon told from one that is being restarted. */
const OPENING_BOUND_MS = 5_000;

/** Opens the tables behind `postgres://…`, made when they are not there. */
export async function openBenchServer(
  address: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<BenchStore> {
  if (!URL.canParse(address))
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem:
        "`--store` is no address; one looks like `postgres://user:password@host:5432/database`",
    });
  const server = connectServer(address, signal);
  try {
    await persist(server, () => prepareTables(server), OPENING_BOUND_MS);
    // One after another: pg-boss makes its tables too, and two at once on an empty database may collide.
    const queue = await persist(server, () =>
      server.transact(() => openQueue(server), beginAlone("schema")),
    );
    const desk = { server, queue, clock: createServerClock() };
    return {
      ...keepRuns(desk),
      ...keepTrials(desk),
      ...keepResults(desk),
      ...keepContent(desk),
      close: async () => {
        await desk.queue.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function keepResults({ server }: Desk): Pick<BenchStore, "results" | "findKnown"> {
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

function keepContent({ server }: Desk): Pick<BenchStore, "putContent" | "getContent"> {
  return {
    putContent: async (bytes) => {
      const hash = createHash("sha256").update(bytes).digest("hex");
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
