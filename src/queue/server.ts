// The way to one PostgreSQL: a few connections, transactions, and patience while the server is away.

import { setTimeout as pause } from "node:timers/promises";
import { Pool, type PoolClient, type QueryResult } from "pg";
import { waitUnlessAborted } from "../core/command/cancellation.ts";
import { Fault, fault, systemCodeOf } from "../core/command/fault.ts";
import { monotonicMs } from "../core/command/time.ts";
import { type Row, textIn } from "../core/store/row.ts";
import { RowDamaged } from "../core/store/storage-fault.ts";

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
  readonly presence?: Presence;
  /**
   * All of `work` or nothing of it. Under a lock it is the only transaction with that lock until it ends, on
   * all machines.
   */
  transact<Result>(work: Work<Result>, lock?: string): Promise<Result>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** What the server's own lists call this program. */
  readonly application: string;
  readonly signal: AbortSignal;
  /** Hears once that the server is away, and once that it is back. */
  readonly note?: (text: string) => void;
}

export function connectServer(
  address: string,
  { application, signal, note }: ConnectOptions,
): Server {
  const pool = new Pool({
    connectionString: address,
    application_name: application,
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
  const server: Server = {
    name: nameServer(address),
    signal,
    presence: trackPresence(nameServer(address), note ?? (() => undefined)),
    query: async (sql, values = []) => rowsOf(await pool.query<Row>(sql, [...values])),
    transact: (work, lock) => transactOn(pool, work, { server, lock }),
    close: () => pool.end(),
  };
  return server;
}

/** Whether the server answers, as far as anybody asked; many may ask at once. */
interface Presence {
  noteAway(): void;
  noteBack(): void;
}

function trackPresence(name: string, note: (text: string) => void): Presence {
  let isAway = false;
  const change = (away: boolean, text: string) => {
    if (isAway !== away) note(text);
    isAway = away;
  };
  return {
    noteAway: () => change(true, `server \`${name}\` is away, retrying`),
    noteBack: () => change(false, `server \`${name}\` is back`),
  };
}

/** Several statements at once are answered by several results, which the types do not say. */
const rowsOf = (answer: QueryResult<Row>): Row[] => [answer].flat().flatMap(({ rows }) => rows);

async function transactOn<Result>(
  pool: Pool,
  work: Work<Result>,
  { server, lock }: { readonly server: Server; readonly lock: string | undefined },
): Promise<Result> {
  const client = await pool.connect();
  const ended = await workOn(client, work, beginSql(lock)).catch((error: unknown) => {
    // The server rolls back what a closed connection had begun.
    client.release(true);
    throw error;
  });
  client.release(ended.failure !== null);
  if (ended.failure !== null && !(await isCommitted(ended, server))) throw ended.failure.error;
  return ended.result;
}

interface EndedWork<Result> {
  readonly result: Result;
  /** The server's own id of the transaction. */
  readonly id: string;
  /** What the `COMMIT` was answered by, null where it was done. */
  readonly failure: { readonly error: unknown } | null;
}

async function workOn<Result>(
  client: PoolClient,
  work: Work<Result>,
  begin: string,
): Promise<EndedWork<Result>> {
  const query: Queryable["query"] = async (sql, values = []) =>
    rowsOf(await client.query<Row>(sql, [...values]));
  const id = textIn((await query(begin)).at(-1) ?? {}, "transaction");
  const result = await work({ query });
  const failure = await query("COMMIT").then(
    () => null,
    (error: unknown) => ({ error }),
  );
  return { result, id, failure };
}

const beginSql = (lock: string | undefined): string =>
  [
    "BEGIN",
    ...(lock === undefined ? [] : [`SELECT pg_advisory_xact_lock(hashtextextended('${lock}', 0))`]),
    "SELECT pg_current_xact_id()::text AS transaction",
  ].join(";");

/** A connection that broke over `COMMIT` does not say whether all of it was kept; the server knows. */
async function isCommitted(
  { id, failure }: Pick<EndedWork<unknown>, "id" | "failure">,
  server: Server,
): Promise<boolean> {
  if (!isPassing(failure?.error)) return false;
  while (!server.signal.aborted) {
    const status = await persist(server, () => statusOf(id, server));
    if (status !== "in progress") return status === "committed";
    await pause(FIRST_WAIT_MS);
  }
  return false;
}

/**
 * A server that crashed forgets the ids that it had given to transactions of which nothing was on disk, and says that such a
 * one "is in the future" (PostgreSQL 18): it was rolled back like any other.
 * It gives these ids again, and what another transaction did under one is taken for ours: a job that counts as
 * completed so is done again when its heartbeat lapses.
 */
async function statusOf(id: string, server: Server): Promise<unknown> {
  const ask = "SELECT pg_xact_status($1::text::xid8) AS status";
  try {
    const [row] = await server.query(ask, [id]);
    return row?.status;
  } catch (error) {
    if (systemCodeOf(error) === INVALID_VALUE) return "aborted";
    throw error;
  }
}

const INVALID_VALUE = "22023";

const RETRY_BOUND_MS = 60_000;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;
const TOLD_FROM_MS = 400;

/** Does `work` again while the server is away, for a bounded time. */
export async function persist<Result>(
  { name, signal, presence }: Pick<Server, "name" | "signal" | "presence">,
  work: () => Promise<Result>,
  boundMs = RETRY_BOUND_MS,
): Promise<Result> {
  const deadline = monotonicMs() + boundMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      const result = await work();
      presence?.noteBack();
      return result;
    } catch (error) {
      const isPatient = !signal.aborted && monotonicMs() + waitMs <= deadline;
      if (!isPassing(error) || !isPatient) throw explainServerFailure(name, error);
      // What is over in a moment, such as a deadlock, is nothing to tell.
      if (waitMs >= TOLD_FROM_MS) presence?.noteAway();
      await waitUnlessAborted(waitMs, signal);
    }
  }
}

// What PostgreSQL and the way to it raise: what passes by itself, and what a person has to act on.

// https://www.postgresql.org/docs/18/errcodes-appendix.html: connection lost, deadlock, a lock that was
// not to be had, too many connections, a transaction ended for its silence, a server that stops or starts.
const PASSING_STATES = /^(08...|40001|40P01|55P03|53300|25P03|57P0[1-5])$/;
const PASSING_SYSTEM_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
]);
/** The client library's own, which carry no code (pg 8.23). */
const PASSING_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error))/;

/** What is just now in somebody else's hands; the same again may succeed. */
export class TryAgain extends Error {}

/** Whether the same may succeed once the server is there again. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TryAgain) return true;
  const code = systemCodeOf(error);
  if (code === null) return PASSING_MESSAGES.test(error.message);
  return PASSING_STATES.test(code) || PASSING_SYSTEM_CODES.has(code);
}

const RIGHTS = "give the user the right to create schemas in this database, or name another user";
const HINTS: Readonly<Record<string, string>> = {
  "28P01": "check user and password of the address",
  "28000": "check user and password of the address, and what the server allows this machine",
  "3D000": "create the database, or name another one",
  "42501": RIGHTS,
  "53100": "free some space on the server",
  ENOTFOUND: "check the host of the address",
};

/** The server by its place: user, password and parameters are nobody else's business. */
function nameServer(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Faults and bugs pass unchanged; only what the server or the network did is explained. */
export function explainServerFailure(path: string, error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  if (error instanceof RowDamaged || error instanceof TryAgain)
    return fault("StoreUnavailable", { path, problem: error.message }, { cause: error });
  if (isPassing(error)) {
    const hint = "see that the server runs and can be reached from here, then try again";
    const problem = `the server does not answer (${systemCodeOf(error) ?? error.message})`;
    return fault("StoreUnavailable", { path, problem }, { hint, cause: error });
  }
  const code = systemCodeOf(error);
  const hint = code === null ? undefined : HINTS[code];
  if (hint === undefined) return error;
  return fault("StoreUnavailable", { path, problem: error.message }, { hint, cause: error });
}
