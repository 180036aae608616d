// A queue of jobs in PostgreSQL for workers on many machines. pg-boss keeps the jobs: their state, heartbeats,
// tries and upkeep. Which job is next under limits that count over all workers pg-boss cannot say (its group
// concurrency let 7 run at a limit of 2, over four processes): the caller chooses, one worker at a time, and the
// job is asked for by its number, which is its priority.
import { PgBoss } from "pg-boss";
import { LocalQueue } from "../core/store/local-queue.ts";
import { textIn } from "../core/store/row.ts";
import { type Queryable, type Server, TryAgain } from "./server.ts";

export interface QueueOptions {
  /** The schema of pg-boss's tables, made when it is not there. */
  readonly schema: string;
  readonly name: string;
  /** A worker that said nothing for so long has lost its job to the others; at least ten. */
  readonly heartbeatSeconds: number;
}

export interface NewJob {
  readonly id: string;
  /** No other open job of the queue has it. */
  readonly number: number;
  /** The caller counts the active jobs and starts of a group together. */
  readonly group: string;
}

/** What pg-boss keeps of a job for us: how many of its tries were cut off and do not count as tries. */
interface JobData {
  readonly untried: number;
}

/** A job that a worker holds until it completes it, gives it back, or falls silent. */
export interface JobClaim {
  readonly id: string;
  /** How often the job was taken before: tells this claim from those of other workers. */
  readonly takenBefore: number;
  /** Counts from 1; what was given back as never tried does not count. */
  readonly attempt: number;
}

/** What a caller's query chose: a job that waits, by its number. */
interface ChosenJob {
  readonly number: number;
}

/** Answers with the next job there may be, null where none may be taken now. */
type ChooseJob<Chosen extends ChosenJob> = (inside: Queryable) => Promise<Chosen | null>;

interface Requeue {
  readonly delayMs: number;
  /** False for a try that was cut off: it is as if it had never been taken. */
  readonly isTried: boolean;
}

/**
 * What is done `inside` belongs to the caller's transaction. `false` says that the claim is lost: another
 * worker's result counts.
 */
export interface Queue {
  /** pg-boss's table of jobs, for the caller's query: `id`, `state`, `group_id`, `start_after`, `started_on`. */
  readonly jobs: string;
  enqueue(inside: Queryable, jobs: readonly NewJob[]): Promise<void>;
  /** `aheadMs` looks at the queue as it will be then. */
  claim<Chosen extends ChosenJob>(
    choose: ChooseJob<Chosen>,
    aheadMs?: number,
  ): Promise<{ readonly chosen: Chosen; readonly job: JobClaim } | null>;
  heartbeat(job: JobClaim): Promise<boolean>;
  complete(inside: Queryable, job: JobClaim): Promise<boolean>;
  requeue(inside: Queryable, job: JobClaim, how: Requeue): Promise<boolean>;
  /** Who works on one is told by the next heartbeat; the result he brings still counts. */
  cancel(inside: Queryable, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const DAY_SECONDS = 86_400;
const JOB_OPTIONS = {
  // The most that pg-boss allows; the caller's own time limit ends a job long before.
  expireInSeconds: DAY_SECONDS,
  // A job is open until it is completed, however often a worker died over it.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retentionSeconds: 3_650 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

/** Many may open it at once: what is made is made under one lock. */
export async function openQueue(server: Server, options: QueueOptions): Promise<Queue> {
  const { schema, name, heartbeatSeconds } = options;
  const boss = new PgBoss({ ...within(server), schema, schedule: false });
  // Its upkeep while the server is away; it comes round again by itself.
  boss.on("error", () => undefined);
  const close = () => boss.stop({ graceful: false, close: false });
  try {
    await server.transact(async () => {
      await boss.start();
      await boss.createQueue(name, { ...JOB_OPTIONS, heartbeatSeconds });
    }, `${schema} schema`);
  } catch (error) {
    await close();
    throw error;
  }
  const claims = new LocalQueue();
  let isLikely = false;
  const context = { boss, server, name, jobs: `${schema}.job`, lock: `${schema}.${name}` };
  return {
    jobs: context.jobs,
    enqueue: (inside, jobs) => insertJobs(context, inside, jobs),
    claim: async (choose, aheadMs = 0) => {
      // Who waits for the same lock must not keep the connections that heartbeats need.
      const position = claims.join(name);
      await position.ready;
      try {
        const claimed = await claimJob(context, choose, { aheadMs, isLikely });
        isLikely = claimed !== null;
        return claimed;
      } finally {
        position.leave();
      }
    },
    heartbeat: (job) => touchJob(context, job),
    complete: (inside, job) => completeJob(context, inside, job),
    requeue: (inside, job, how) => requeueJob(context, inside, { job, how }),
    cancel: async (inside, ids) => {
      if (ids.length > 0) await boss.cancel(name, [...ids], within(inside));
    },
    close,
  };
}

interface QueueContext {
  readonly boss: PgBoss;
  readonly server: Server;
  readonly name: string;
  readonly jobs: string;
  readonly lock: string;
}

const within = (inside: Queryable) => ({
  db: {
    executeSql: async (sql: string, values?: unknown[]) => ({
      rows: await inside.query(sql, values),
    }),
  },
});

async function insertJobs(
  { boss, name }: QueueContext,
  inside: Queryable,
  jobs: readonly NewJob[],
): Promise<void> {
  const data: JobData = { untried: 0 };
  const made = jobs.map(({ id, number, group }) => ({
    ...{ id, priority: number, data },
    group: { id: group },
  }));
  await boss.insert(name, made, { ...within(inside), returnId: false });
}

interface ClaimOptions {
  readonly aheadMs: number;
  /** There was one the last time. Those who wait look often: they look without the lock first. */
  readonly isLikely: boolean;
}

async function claimJob<Chosen extends ChosenJob>(
  context: QueueContext,
  choose: ChooseJob<Chosen>,
  { aheadMs, isLikely }: ClaimOptions,
): Promise<{ readonly chosen: Chosen; readonly job: JobClaim } | null> {
  const { server, lock } = context;
  const hasSilent = (await findSilent(context, server, aheadMs)).length > 0;
  if (!hasSilent && !isLikely && (await choose(server)) === null) return null;
  // One at a time over all machines: a limit is counted and used up in one go.
  return server.transact(async (inside) => {
    if (hasSilent) await releaseSilent(context, inside, aheadMs);
    const chosen = await choose(inside);
    return chosen === null ? null : { chosen, job: await takeJob(context, inside, chosen.number) };
  }, lock);
}

/** Jobs of workers that said nothing for too long: by pg-boss's own rule, but without waiting for its next round. */
async function findSilent(
  { name, jobs }: QueueContext,
  inside: Queryable,
  aheadMs: number,
): Promise<string[]> {
  const rows = await inside.query(
    `SELECT id FROM ${jobs} WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL
       AND heartbeat_on + heartbeat_seconds * interval '1 s'
         < clock_timestamp() + $2::double precision * interval '1 ms'`,
    [name, aheadMs],
  );
  return rows.map((row) => textIn(row, "id"));
}

async function releaseSilent(
  context: QueueContext,
  inside: Queryable,
  aheadMs: number,
): Promise<void> {
  const ids = await findSilent(context, inside, aheadMs);
  if (ids.length === 0) return;
  await context.boss.fail(context.name, ids, { reason: "the worker fell silent" }, within(inside));
}

async function takeJob(
  { boss, name }: QueueContext,
  inside: Queryable,
  number: number,
): Promise<JobClaim> {
  const [job] = await boss.fetch<Partial<JobData>>(name, {
    ...within(inside),
    minPriority: number,
    maxPriority: number,
    ignoreStartAfter: true,
    includeMetadata: true,
  });
  // pg-boss passes over a job that somebody else looks at in this very moment.
  if (job === undefined) throw new TryAgain(`the queue has no job ${number} that waits`);
  const { id, retryCount: takenBefore, data } = job;
  return { id, takenBefore, attempt: takenBefore + 1 - (data.untried ?? 0) };
}

async function touchJob(context: QueueContext, job: JobClaim): Promise<boolean> {
  const { boss, name, server } = context;
  if ((await stateOf(context, server, job)) !== "active") return false;
  await boss.touch(name, job.id);
  return true;
}

/** Null where another worker has taken the job since. */
async function stateOf(
  { name, jobs }: QueueContext,
  inside: Queryable,
  { id, takenBefore }: JobClaim,
  lock: "FOR UPDATE" | "" = "",
): Promise<string | null> {
  const [row] = await inside.query(
    `SELECT state::text FROM ${jobs} WHERE name = $1 AND id = $2 AND retry_count = $3 ${lock}`,
    [name, id, takenBefore],
  );
  return row === undefined ? null : textIn(row, "state");
}

async function completeJob(
  context: QueueContext,
  inside: Queryable,
  job: JobClaim,
): Promise<boolean> {
  const { boss, name } = context;
  const state = await stateOf(context, inside, job, "FOR UPDATE");
  if (state === "cancelled") return true;
  // The state is `retry` where the upkeep took it back from a worker that was silent for a while and then came first.
  if (state !== "active" && state !== "retry") return false;
  await boss.complete(name, job.id, null, { ...within(inside), includeQueued: true });
  return true;
}

async function requeueJob(
  context: QueueContext,
  inside: Queryable,
  { job, how }: { readonly job: JobClaim; readonly how: Requeue },
): Promise<boolean> {
  const { boss, name } = context;
  const state = await stateOf(context, inside, job, "FOR UPDATE");
  if (state !== "active" && state !== "retry") return false;
  await boss.fail(name, job.id, { reason: "given back" }, within(inside));
  const data: JobData = { untried: job.takenBefore + 1 - job.attempt + (how.isTried ? 0 : 1) };
  const startAfter = `${Math.max(0, Math.round(how.delayMs))} milliseconds`;
  await boss.update(name, data, { ...within(inside), id: job.id, startAfter });
  return true;
}
