// Has files loaded in worker threads, and outlives whatever those files do there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Fault, fault, reportFault } from "../command/fault.ts";
import { nameOfFile } from "./index-file.ts";
import { type JobPlace, type JobResult, saysCritical } from "./index-job.ts";
import type { IndexJob } from "./index-plan.ts";
import type { WorkerMessage, WorkerTask } from "./index-worker.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { LOAD_LIMIT_MS, tooSlow } from "./load-limit.ts";
import { packBroken } from "./packed-record.ts";

/** How a worker ended before it was through with what it was given. */
type Ending =
  | { readonly kind: "silent" }
  | { readonly kind: "stuck" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "exited"; readonly code: number };

interface Shift {
  readonly results: readonly JobResult[];
  /** Null when it was through. */
  readonly ending: Ending | null;
}

// Modules cannot be unloaded: a worker's memory grows with every one.
const MOST_JOBS = 500;
const MEMORY_MB = 512;

export async function loadJobs(
  jobs: readonly IndexJob[],
  place: JobPlace,
  workerUrl: string,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  while (results.length < jobs.length) {
    const batch = jobs.slice(results.length, results.length + MOST_JOBS);
    const { results: done, ending } = await runShift({ ...place, jobs: batch }, workerUrl);
    results.push(...done);
    const job = jobs[results.length];
    // An earlier file may have left a trap behind: who threw or ended the thread is clear only for
    // the first in it, so the others get another thread.
    if (job !== undefined && ending !== null && (ending.kind === "silent" || done.length === 0))
      results.push(blame(job, place.source, ending));
  }
  return results;
}

function runShift(task: WorkerTask, workerUrl: string): Promise<Shift> {
  const { promise, resolve, reject } = Promise.withResolvers<Shift>();
  const results: JobResult[] = [];
  const worker = startWorker(task, workerUrl);
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  let ending: Ending | null = null;
  worker.on("message", (message: WorkerMessage) => {
    clearTimeout(timer);
    hasBegun = true;
    if (message.kind === "done") results.push(JSON.parse(message.result));
    else if (message.kind === "stuck") ending = { kind: "stuck" };
    else
      timer = setTimeout(() => {
        ending = { kind: "silent" };
        worker.terminate().catch(reject);
      }, LOAD_LIMIT_MS);
    if (results.length === task.jobs.length) worker.terminate().catch(reject);
  });
  worker.on("error", (error) => {
    ending = { kind: "threw", error };
  });
  // Messages and errors come by different ways; at the exit all of them have arrived.
  worker.on("exit", (code) => {
    clearTimeout(timer);
    if (results.length === task.jobs.length) resolve({ results, ending: null });
    else if (hasBegun) resolve({ results, ending: ending ?? { kind: "exited", code } });
    else reject(new Error(`the index worker did not start: ${describe(ending)}`));
  });
  return promise;
}

function startWorker(workerData: WorkerTask, workerUrl: string): Worker {
  const worker = new Worker(new URL(workerUrl), {
    workerData,
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Read and thrown away: what modules print while they are loaded reaches nobody.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

const describe = (ending: Ending | null): string =>
  ending?.kind === "threw" && ending.error instanceof Error
    ? (ending.error.stack ?? ending.error.message)
    : "it ended at once";

function blame(job: IndexJob, source: LayerSource, ending: Ending): JobResult {
  const path = pathOf(job, source);
  const report = reportFault(explain(ending, showFile(source, path)));
  if (job.kind !== "command") return { records: [], settings: {}, fault: report };
  const isCritical = saysCritical(readFileSync(path, "utf8"));
  const record = packBroken(nameOfFile(job.fileName), {
    fault: report,
    isCritical,
    isWorthRetrying: false,
  });
  return { records: [record], settings: {}, fault: null };
}

function pathOf(job: IndexJob, source: LayerSource): string {
  if (job.kind === "command") return join(source.commandsFolder, job.fileName);
  return join(source.folder, job.kind === "yaml" ? "commands.yaml" : "config.yaml");
}

function explain(ending: Ending, file: string): Fault {
  if (ending.kind === "silent") return tooSlow(file);
  return fault("FileInvalid", { problem: problemOf(ending) }, { where: { file } });
}

function problemOf(ending: Exclude<Ending, { kind: "silent" }>): string {
  if (ending.kind === "stuck") return "a top-level `await` in it never ends";
  if (ending.kind === "exited")
    return `it called \`process.exit(${ending.code})\` while it was loaded`;
  const { error } = ending;
  return `it threw after it was loaded: ${error instanceof Error ? error.message : error}`;
}
