// The queue of trials: one job of pg-boss for each. Which trial is next under limits, rates and labels
// that count over all workers, pg-boss cannot say: that is decided by our tables, in the same transaction,
// and the job is asked for by its number, which is its priority.
import { PgBoss } from "pg-boss";
import { HEARTBEAT_LAPSE_MS } from "../bench/queue.ts";
import { JobAway } from "./bench-postgres-fault.ts";
import { QUEUE_SCHEMA } from "./bench-postgres-schema.ts";
import type { Queryable, Server } from "./bench-postgres-server.ts";

const QUEUE = "trials";

export interface TrialJob {
  readonly id: string;
  readonly number: number;
  readonly runId: string;
  readonly key: string;
}

/** All but `touch` belong to the transaction that changes the trial. */
export interface TrialQueue {
  add(inside: Queryable, jobs: readonly TrialJob[]): Promise<void>;
  take(inside: Queryable, number: number): Promise<void>;
  giveBack(inside: Queryable, ids: readonly string[], reason: string): Promise<void>;
  complete(inside: Queryable, id: string): Promise<void>;
  cancel(inside: Queryable, ids: readonly string[]): Promise<void>;
  touch(id: string): Promise<void>;
  close(): Promise<void>;
}

const DAY_SECONDS = 86_400;
const QUEUE_OPTIONS = {
  heartbeatSeconds: HEARTBEAT_LAPSE_MS / 1_000,
  // The most that pg-boss allows; a trial's own time limit ends it long before.
  expireInSeconds: DAY_SECONDS,
  // A trial is open until it has a result, however often a worker died over it.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retentionSeconds: 3_650 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

const within = (inside: Queryable) => ({
  db: {
    executeSql: async (sql: string, values?: unknown[]) => ({
      rows: await inside.query(sql, values),
    }),
  },
});

export async function openQueue(server: Server): Promise<TrialQueue> {
  const boss = new PgBoss({ ...within(server), schema: QUEUE_SCHEMA, schedule: false });
  // Its upkeep while the server is away; it comes round again by itself.
  boss.on("error", () => undefined);
  const close = () => boss.stop({ graceful: false, close: false });
  try {
    await boss.start();
    await boss.createQueue(QUEUE, QUEUE_OPTIONS);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...handJobs(boss), close };
}

function handJobs(boss: PgBoss): Omit<TrialQueue, "close"> {
  return {
    async add(inside, jobs) {
      const made = jobs.map(({ id, number, runId, key }) => ({
        id,
        priority: number,
        data: { runId, key },
      }));
      await boss.insert(QUEUE, made, { ...within(inside), returnId: false });
    },
    async take(inside, number) {
      const taken = await boss.fetch(QUEUE, {
        ...within(inside),
        minPriority: number,
        maxPriority: number,
        ignoreStartAfter: true,
      });
      if (taken.length !== 1)
        throw new JobAway(`the queue has no job ${number} for a queued trial`);
    },
    async giveBack(inside, ids, reason) {
      await boss.fail(QUEUE, [...ids], { reason }, within(inside));
    },
    async complete(inside, id) {
      // Also where the upkeep took it back from a worker that was silent for a while and then came first.
      await boss.complete(QUEUE, id, null, { ...within(inside), includeQueued: true });
    },
    async cancel(inside, ids) {
      if (ids.length > 0) await boss.cancel(QUEUE, [...ids], within(inside));
    },
    async touch(id) {
      await boss.touch(QUEUE, id);
    },
  };
}
