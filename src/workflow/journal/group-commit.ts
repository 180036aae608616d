// Writes of one journal. The disk is waited for once for all that came together, and not at all where only a beginning is noted.
import { type Database, transact } from "../../core/store/sqlite.ts";

interface Waiting {
  readonly work: () => void;
  readonly settle: () => void;
  readonly reject: (reason: unknown) => void;
}

export class GroupCommit {
  readonly #database: Database;
  #waiting: Waiting[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** In a transaction of its own, or in the one that is open. */
  now<Result>(work: () => Result): Result {
    return this.#database.connection.isTransaction ? work() : transact(this.#database, work);
  }

  /** Outlives this process, but not yet a power cut; the next transaction that is synchronised takes it along. */
  unsynchronised<Result>(work: () => Result): Result {
    if (this.#database.connection.isTransaction) return work();
    this.#database.statement("PRAGMA synchronous = NORMAL").run();
    try {
      return transact(this.#database, work);
    } finally {
      this.#database.statement("PRAGMA synchronous = FULL").run();
    }
  }

  /** In one transaction with all that is asked for before the event loop comes around. */
  soon<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let settle = (): void => {};
      const waiting: Waiting = {
        work: () => {
          const result = work();
          settle = () => resolve(result);
        },
        settle: () => settle(),
        reject,
      };
      if (this.#waiting.push(waiting) === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      this.now(() => {
        for (const { work } of group) work();
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { settle } of group) settle();
  }
}
