// Has files loaded in worker threads, and outlives whatever those files do there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Fault, fault, reportFault } from "../../command/fault.ts";
import { findCompileCache } from "../../process/compile-cache.ts";
import { LOAD_LIMIT_MS, loadLimitFault } from "../command-file.ts";
import { type LayerSource, showFile } from "../layer-source.ts";
import { packBroken } from "./entries.ts";
import {
  type IndexJob,
  type JobContext,
  type JobResult,
  mentionsCritical,
  type WorkerMessage,
  type WorkerTask,
} from "./job.ts";

/** How a worker ended before it was through with what it was given. */
type WorkerEarlyEnd =
  | { readonly kind: "silent" }
  | { readonly kind: "stuck" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "exited"; readonly code: number };

interface WorkerRun {
  readonly results: readonly JobResult[];
  /** Null where the worker did all of its jobs. */
  readonly ending: WorkerEarlyEnd | null;
}

// Modules cannot be unloaded: a worker's memory grows with every one.
const MAX_JOBS_PER_WORKER = 500;
const MEMORY_MB = 512;

export async function runJobsInWorkers(
  jobs: readonly IndexJob[],
  context: JobContext,
  workerUrl: string,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  while (results.length < jobs.length) {
    const batch = jobs.slice(results.length, results.length + MAX_JOBS_PER_WORKER);
    const task: WorkerTask = { ...context, jobs: batch, compileCache: findCompileCache() };
    const { results: done, ending } = await runWorker(task, workerUrl);
    results.push(...done);
    const job = jobs[results.length];
    // An earlier file may have left a trap behind: who threw or ended the thread is clear only for
    // the first in it, so the others get another thread.
    if (job !== undefined && ending !== null && (ending.kind === "silent" || done.length === 0))
      results.push(failJob(job, context.source, ending));
  }
  return results;
}

function runWorker(task: WorkerTask, workerUrl: string): Promise<WorkerRun> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerRun>();
  const results: JobResult[] = [];
  const worker = startWorker(task, workerUrl);
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  let ending: WorkerEarlyEnd | null = null;
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
    else reject(new Error(`the index worker did not start: ${describeEnd(ending)}`));
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

const describeEnd = (ending: WorkerEarlyEnd | null): string =>
  ending?.kind === "threw" && ending.error instanceof Error
    ? (ending.error.stack ?? ending.error.message)
    : "it ended at once";

function failJob(job: IndexJob, source: LayerSource, ending: WorkerEarlyEnd): JobResult {
  const path = pathOf(job, source);
  const report = reportFault(faultOfEnd(ending, showFile(source, path)));
  if (job.kind !== "command") return { records: [], settings: {}, fault: report };
  const isCritical = mentionsCritical(readFileSync(path, "utf8"));
  const record = packBroken(job.name, {
    fault: report,
    isCritical,
    isWorthRetrying: false,
    wasSlow: ending.kind === "silent",
  });
  return { records: [record], settings: {}, fault: null };
}

function pathOf(job: IndexJob, source: LayerSource): string {
  if (job.kind === "command") return join(source.commandsFolder, job.fileName);
  return join(source.folder, job.kind === "yaml" ? "commands.yaml" : "config.yaml");
}

function faultOfEnd(ending: WorkerEarlyEnd, file: string): Fault {
  if (ending.kind === "silent") return loadLimitFault(file);
  return fault("FileInvalid", { problem: problemOfEnd(ending) }, { where: { file } });
}

function problemOfEnd(ending: Exclude<WorkerEarlyEnd, { kind: "silent" }>): string {
  if (ending.kind === "stuck") return "a top-level `await` in it never ends";
  if (ending.kind === "exited")
    return `it called \`process.exit(${ending.code})\` while it was loaded`;
  const { error } = ending;
  return `it threw after it was loaded: ${error instanceof Error ? error.message : error}`;
}
