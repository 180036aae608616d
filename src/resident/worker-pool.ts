// Threads kept ready. One that has run a job may run the next, as long as the files it was loaded from are the same.
import { type JobRule, WarmWorker, type WorkerEnding } from "./warm-worker.ts";

export interface PoolRule extends JobRule {
  /** Whose files the job's code is loaded from. */
  readonly place: string;
  /** Their state; null where it is not known, and then only a fresh thread will do. */
  readonly stamp: string | null;
}

export interface WorkerPool<Job, Result> {
  run(job: Job, rule: PoolRule): Promise<WorkerEnding<Result>>;
  /** Starts a thread ahead of the first job. */
  warmUp(): void;
  close(): Promise<void>;
}

export interface PoolParts<Job> {
  /** The file the threads run. */
  readonly url: URL;
  /** Ends what a thread that had to be ended has left running. */
  cleanUp(worker: { readonly id: string; readonly since: number }, job: Job): Promise<unknown>;
}

/** How many may rest; more run when there is more to do, and end after it. */
const MOST_RESTING = 4;

export function createWorkerPool<Job, Result>(parts: PoolParts<Job>): WorkerPool<Job, Result> {
  type Thread = WarmWorker<Job, Result>;
  const resting: Thread[] = [];
  const working = new Set<Thread>();
  let isClosed = false;

  const warmUp = () => {
    const hasFresh = resting.some(({ isAlive, stamps }) => isAlive && stamps.size === 0);
    if (!hasFresh && !isClosed) resting.push(new WarmWorker(parts.url));
  };

  const take = (rule: PoolRule): Thread => {
    const old = resting.filter((thread) => isOutdated(thread, rule));
    for (const thread of old) void thread.end();
    const usable = resting.filter((thread) => !old.includes(thread));
    const chosen = usable.find(({ stamps }) => stamps.has(rule.place)) ?? usable.at(-1);
    resting.splice(0, resting.length, ...usable.filter((thread) => thread !== chosen));
    return chosen ?? new WarmWorker(parts.url);
  };

  const release = async (thread: Thread, ending: WorkerEnding<Result>, job: Job) => {
    working.delete(thread);
    const isSound = ending.kind === "done" || ending.kind === "failed";
    if (isSound && thread.isAlive && !isClosed && resting.length < MOST_RESTING)
      resting.unshift(thread);
    else await thread.end();
    if (!isSound) await parts.cleanUp(thread, job);
    // After the answer: the next that needs a fresh one finds it.
    setImmediate(warmUp);
  };

  return {
    warmUp,
    run: async (job, rule) => {
      const thread = take(rule);
      thread.stamps.set(rule.place, rule.stamp ?? "unknown");
      working.add(thread);
      const ending = await thread.run(job, rule);
      await release(thread, ending, job);
      return ending;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...resting.splice(0), ...working].map((thread) => thread.end()));
    },
  };
}

function isOutdated(
  { isAlive, stamps }: Pick<WarmWorker<never, never>, "isAlive" | "stamps">,
  { place, stamp }: PoolRule,
): boolean {
  const known = stamps.get(place);
  return !isAlive || (known !== undefined && (stamp === null || known !== stamp));
}
