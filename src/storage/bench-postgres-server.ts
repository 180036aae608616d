// The way to one PostgreSQL: a few connections, transactions, and patience while the server is away.
import { setTimeout as pause } from "node:timers/promises";
import { Pool, type QueryResult } from "pg";
import { monotonicMs } from "../monotonic-ms.ts";
import { explainServerFailure, isPassing, nameServer } from "./bench-postgres-fault.ts";
import type { Row } from "./row.ts";

/** What both a connection and the whole server can be asked. */
export interface Queryable {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

type Work<Result> = (inside: Queryable) => Promise<Result>;

export interface Server extends Queryable {
  /** The address without its secrets. */
  readonly name: string;
  /** Whoever is told to stop waits for no server. */
  readonly signal: AbortSignal;
  /** `begin` may do more on the same way to the server, such as take a lock. */
  transact<Result>(work: Work<Result>, begin?: string): Promise<Result>;
  close(): Promise<void>;
}

export function connectServer(address: string, signal: AbortSignal): Server {
  const pool = new Pool({
    connectionString: address,
    application_name: "adjutant bench",
    max: 4,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // A network that was cut says nothing: neither side waits for the other for ever. The server lets go
    // of the locks of a machine without power.
    query_timeout: 60_000,
    idle_in_transaction_session_timeout: 10_000,
    lock_timeout: 20_000,
  });
  // Raised when the server drops a connection between two queries: the next one on it says so, and gets
  // a new one.
  const leaveToNext = (): void => undefined;
  pool.on("error", leaveToNext).on("connect", (client) => client.on("error", leaveToNext));
  return {
    name: nameServer(address),
    signal,
    query: async (sql, values = []) => rowsOf(await pool.query<Row>(sql, [...values])),
    transact: (work, begin = "BEGIN") => transactOn(pool, work, begin),
    close: () => pool.end(),
  };
}

/** Several statements at once are answered by several results, which the types do not say. */
const rowsOf = (answer: QueryResult<Row>): Row[] => [answer].flat().flatMap(({ rows }) => rows);

async function transactOn<Result>(pool: Pool, work: Work<Result>, begin: string): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work({
      query: async (sql, values = []) => rowsOf(await client.query<Row>(sql, [...values])),
    });
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // The server rolls back what a closed connection had begun.
    client.release(true);
    throw error;
  }
}

export const RETRY_BOUND_MS = 60_000;

/**
 * Does `work` again while the server is away, for a bounded time. Whether a transaction was kept whose
 * `COMMIT` got no answer is not known: `work` must come to the same end when it is done twice.
 */
export async function persist<Result>(
  { name, signal }: Pick<Server, "name" | "signal">,
  work: (isAgain: boolean) => Promise<Result>,
  boundMs = RETRY_BOUND_MS,
): Promise<Result> {
  const deadline = monotonicMs() + boundMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt > 0);
    } catch (error) {
      const waitMs = Math.min(50 * 2 ** attempt, 2_000);
      const isPatient = !signal.aborted && monotonicMs() + waitMs <= deadline;
      if (!isPassing(error) || !isPatient) throw explainServerFailure(name, error);
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
