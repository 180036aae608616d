// One thread with everything loaded, in which a job runs where it can break nothing: it may throw, exit, print or
// hang. A thread that ended, or had to be ended, is never used again.
import { uptime } from "node:os";
import { Worker } from "node:worker_threads";
import { newId } from "../new-id.ts";

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

export interface JobRule {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** For the job's own end, which it is told to come to first. */
const GRACE_MS = 3_000;
const MEMORY_LIMIT_MB = 512;

export class WarmWorker<Job, Result> {
  /** Given to the thread as its data: what it starts is to carry it. */
  readonly id = newId();
  /** The system's uptime in seconds when it was started. */
  readonly since = uptime();
  /** The state of the files its code was loaded from, by place. */
  readonly stamps = new Map<string, string>();
  isAlive = true;
  readonly #worker: Worker;

  constructor(url: URL) {
    this.#worker = new Worker(url, {
      env: {},
      workerData: { id: this.id },
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
