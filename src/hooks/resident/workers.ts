// One thread with everything loaded, in which a job runs where it can break nothing: it may throw, exit, print or
// hang. A thread that ended, or had to be ended, is never used again.
import { uptime } from "node:os";
import { Worker } from "node:worker_threads";
import { newId } from "../../core/command/new-id.ts";
import { findCompileCache } from "../../core/process/compile-cache.ts";

/** What goes to the thread. */
export type ToWorker<Job> =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "cancel" };

/** What comes from it. */
export type FromWorker<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: string };

export type WorkerEnding<Result> =
  | FromWorker<Result>
  /** It ended without a word: the job exited, ran out of memory, or threw where nobody could catch it. */
  | { readonly kind: "lost" }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" };

interface JobRule {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** For the job's own end, which it is told to come to first. */
const GRACE_MS = 3_000;
const MEMORY_LIMIT_MB = 512;

class WarmWorker<Job, Result> {
  /** Given to the thread as its data: what it starts is to carry it. */
  readonly id = newId();
  /** The system's uptime in seconds when it was started. */
  readonly since = uptime();
  /** The state of the files its code was loaded from, by project. */
  readonly stamps = new Map<string, string>();
  isAlive = true;
  readonly #worker: Worker;

  constructor(url: URL) {
    this.#worker = new Worker(url, {
      env: {},
      workerData: { id: this.id, compileCache: findCompileCache() },
      // Nobody reads what users' code prints; kept apart, it cannot get into anything else either.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.unref();
    // What it throws ends it, and `exit` says so to whoever waits.
    this.#worker.on("error", () => undefined);
    this.#worker.once("exit", () => {
      this.isAlive = false;
    });
  }

  /** Never rejects. */
  async run(job: Job, { limitMs, signal }: JobRule): Promise<WorkerEnding<Result>> {
    const { promise, resolve } = Promise.withResolvers<WorkerEnding<Result>>();
    const timers: NodeJS.Timeout[] = [];
    const endIn = (milliseconds: number, ending: WorkerEnding<Result>) =>
      timers.push(setTimeout(resolve, milliseconds, ending));
    const lose = () => resolve({ kind: "lost" });
    const cancel = () => {
      this.#say({ kind: "cancel" });
      endIn(GRACE_MS, { kind: "cancelled" });
    };
    this.#worker.once("message", resolve);
    this.#worker.once("exit", lose);
    signal.addEventListener("abort", cancel, { once: true });
    endIn(limitMs + GRACE_MS, { kind: "timed_out" });
    this.#say({ kind: "job", job });
    if (signal.aborted) cancel();
    const ending = await promise;
    for (const timer of timers) clearTimeout(timer);
    this.#worker.off("message", resolve);
    this.#worker.off("exit", lose);
    signal.removeEventListener("abort", cancel);
    return ending;
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #say(message: ToWorker<Job>): void {
    this.#worker.postMessage(message);
  }
}

// Threads kept ready. One that has run a job may run the next, as long as the files it was loaded from are the same.

interface PoolRule extends JobRule {
  /** Whose files the job's code is loaded from. */
  readonly project: string;
  /** Their state; null where it is not known, and then only a fresh thread will do. */
  readonly stamp: string | null;
}

interface WorkerPool<Job, Result> {
  run(job: Job, rule: PoolRule): Promise<WorkerEnding<Result>>;
  /** Starts a thread ahead of the first job. */
  warmUp(): void;
  close(): Promise<void>;
}

interface WorkerPoolOptions<Job> {
  /** The file the threads run. */
  readonly url: URL;
  /** Ends what a thread that had to be ended has left running. */
  cleanUp(worker: { readonly id: string; readonly since: number }, job: Job): Promise<unknown>;
}

/** How many may rest; more run when there is more to do, and end after it. */
const MAX_RESTING = 4;

export function createWorkerPool<Job, Result>(
  options: WorkerPoolOptions<Job>,
): WorkerPool<Job, Result> {
  type Thread = WarmWorker<Job, Result>;
  const resting: Thread[] = [];
  const working = new Set<Thread>();
  let isClosed = false;

  const warmUp = () => {
    const hasFresh = resting.some(({ isAlive, stamps }) => isAlive && stamps.size === 0);
    if (!hasFresh && !isClosed) resting.push(new WarmWorker(options.url));
  };

  const take = (rule: PoolRule): Thread => {
    const old = resting.filter((thread) => isOutdated(thread, rule));
    for (const thread of old) void thread.end();
    const usable = resting.filter((thread) => !old.includes(thread));
    const chosen = usable.find(({ stamps }) => stamps.has(rule.project)) ?? usable.at(-1);
    resting.splice(0, resting.length, ...usable.filter((thread) => thread !== chosen));
    return chosen ?? new WarmWorker(options.url);
  };

  const release = async (thread: Thread, ending: WorkerEnding<Result>, job: Job) => {
    working.delete(thread);
    const isSound = ending.kind === "done" || ending.kind === "failed";
    if (isSound && thread.isAlive && !isClosed && resting.length < MAX_RESTING)
      resting.unshift(thread);
    else await thread.end();
    if (!isSound) await options.cleanUp(thread, job);
    // After the answer: the next that needs a fresh one finds it.
    setImmediate(warmUp);
  };

  return {
    warmUp,
    run: async (job, rule) => {
      const thread = take(rule);
      thread.stamps.set(rule.project, rule.stamp ?? "unknown");
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
  { project, stamp }: PoolRule,
): boolean {
  const known = stamps.get(project);
  return !isAlive || (known !== undefined && (stamp === null || known !== stamp));
}
