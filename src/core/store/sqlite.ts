// One SQLite file: opened privately, brought to the newest schema, written in immediate transactions.
import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { fault, systemCodeOf } from "../command/fault.ts";
import { monotonicMs } from "../command/time.ts";
import { makeFolder } from "../project/files.ts";
import { explainFailure, sqliteCodeOf } from "./storage-fault.ts";

export interface Database {
  readonly path: string;
  readonly connection: DatabaseSync;
  /** Prepared once and kept as long as the connection. */
  statement(sql: string): StatementSync;
  close(): void;
}

interface Opening {
  readonly path: string;
  /** The SQL that leads from version n to n + 1; never changed once released, only added to. */
  readonly migrations: readonly string[];
  /** `FULL`: what was written outlives a power cut, too; a write then takes as long as the disk. `NORMAL` by default. */
  readonly synchronous?: "NORMAL" | "FULL";
}

const BUSY_TIMEOUT_MS = 5_000;

export function openDatabase({ path, migrations, synchronous }: Opening): Database {
  return consult({ path }, () => {
    makePrivateFile(path);
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      const database = wrapConnection(path, connection);
      retryWhileBusy(() => prepareSchema(database, migrations));
      if (synchronous !== undefined) connection.exec(`PRAGMA synchronous = ${synchronous}`);
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/** In bytes: reading so much of it takes 0.5 ms. */
const SHORT_LOG = 256 * 1024;

/**
 * For a process that ends now. Closing writes the log of changes into the file, for which the disk is waited for; but
 * whoever opens the file next reads that log from the start, and while nobody closes, it only grows.
 */
export function leaveDatabase(database: Database): void {
  const { size = 0 } = statSync(`${database.path}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size > SHORT_LOG) database.close();
}

/** For what need not outlive the process. */
export function openInMemory(migrations: readonly string[]): Database {
  const path = ":memory:";
  const database = wrapConnection(path, new DatabaseSync(path));
  prepareSchema(database, migrations);
  return database;
}

/** Runs `work` in a write transaction: all of it is kept, or nothing. */
export function transact<Result>(database: Database, work: () => Result): Result {
  return consult(database, () => {
    // Immediate: a transaction that begins by reading fails at once when another writes meanwhile.
    database.statement("BEGIN IMMEDIATE").run();
    try {
      const result = work();
      database.statement("COMMIT").run();
      return result;
    } catch (error) {
      if (database.connection.isTransaction) database.statement("ROLLBACK").run();
      throw error;
    }
  });
}

/** Runs `work`; what the disk or the file did wrong comes out as `Storage/StoreUnavailable`. */
export function consult<Result>({ path }: { readonly path: string }, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explainFailure(path, error);
  }
}

function wrapConnection(path: string, connection: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>();
  return {
    path,
    connection,
    statement(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const prepared = connection.prepare(sql);
      statements.set(sql, prepared);
      return prepared;
    },
    close: () => connection.close(),
  };
}

/**
 * SQLite gives the files beside it the same mode. Never opens a file that is there already: closing
 * it would drop the locks that another connection of this process holds on it (POSIX locks).
 */
function makePrivateFile(path: string): void {
  makeFolder(dirname(path), 0o700);
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
}

function prepareSchema(database: Database, migrations: readonly string[]): void {
  const found = readVersion(database);
  const known = migrations.length;
  if (found > known) {
    const hint = "update Adjutant, or set `ADJ_STATE_DIR` to another folder";
    throw fault("StoreTooNew", { path: database.path, found, known }, { hint });
  }
  database.connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (found < known) migrate(database, migrations);
}

function readVersion(database: Database): number {
  return Number(database.connection.prepare("PRAGMA user_version").get()?.user_version);
}

function migrate(database: Database, migrations: readonly string[]): void {
  transact(database, () => {
    // Read again under the lock: another process may have done it meanwhile.
    const missing = migrations.slice(readVersion(database));
    for (const sql of missing) database.connection.exec(sql);
    database.connection.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** Turning a fresh file into WAL fails at once when two processes do it, whatever the timeout says. */
function retryWhileBusy<Result>(work: () => Result): Result {
  const deadline = monotonicMs() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() > deadline) throw error;
      pauseThread(2);
    }
  }
}

const SQLITE_BUSY = 5;
const SQLITE_PROTOCOL = 15;

function isBusy(error: unknown): boolean {
  const raised = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (sqliteCodeOf(raised) ?? 0) & 0xff;
  return code === SQLITE_BUSY || code === SQLITE_PROTOCOL;
}

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread: SQLite is synchronous, and so are the short waits between tries. */
export function pauseThread(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds);
}
