// The thread in which users' files are loaded for the index, one after another. It tells which one
// it is at, so that whoever waits knows whom to blame when it falls silent.
import { parentPort, workerData } from "node:worker_threads";
import { type JobPlace, runJob } from "./index-job.ts";
import type { IndexJob } from "./index-plan.ts";

/** What the thread is given to do. */
export interface WorkerTask extends JobPlace {
  readonly jobs: readonly IndexJob[];
}

/** `result` is the text of a JobResult: an argument's schema may hold what cannot be posted as it is. */
export type WorkerMessage =
  | { readonly kind: "begun"; readonly at: number }
  | { readonly kind: "done"; readonly at: number; readonly result: string }
  /** The file waits for something and nothing is left that could happen. */
  | { readonly kind: "stuck" };

const task: WorkerTask = workerData;
const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function runJobs(): Promise<void> {
  for (const [at, job] of task.jobs.entries()) {
    post({ kind: "begun", at });
    post({ kind: "done", at, result: JSON.stringify(await runJob(job, task)) });
  }
}

process.once("beforeExit", () => post({ kind: "stuck" }));
// What it throws ends the thread and reaches whoever waits for it.
runJobs();
