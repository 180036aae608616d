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
  for (let job = jobs[0]; job !== undefined; job = jobs[results.length]) {
    const batch = jobs.slice(results.length, results.length + MOST_JOBS);
    const shift = await runShift({ ...place, jobs: batch }, workerUrl);
    results.push(...shift.results);
    // An earlier file may have left the trap behind; the blame is clear only for the first in a worker.
    if (shift.ending !== null && shift.results.length === 0)
      results.push(blame(job, place.source, shift.ending));
  }
  return results;
}

function runShift(task: WorkerTask, workerUrl: string): Promise<Shift> {
  const { promise, resolve, reject } = Promise.withResolvers<Shift>();
  const results: JobResult[] = [];
  // Piped and never read: what modules print while they are loaded reaches nobody.
  const worker = new Worker(new URL(workerUrl), {
    workerData: task,
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  const end = (ending: Ending | null): void => {
    clearTimeout(timer);
    worker.terminate().then(() => resolve({ results, ending }), reject);
  };
  worker.on("message", (message: WorkerMessage) => {
    clearTimeout(timer);
    hasBegun = true;
    if (message.kind === "begun") timer = setTimeout(() => end({ kind: "silent" }), LOAD_LIMIT_MS);
    else results.push(JSON.parse(message.result));
    if (results.length === task.jobs.length) end(null);
  });
  // Before the first file it is our own code that failed.
  worker.on("error", (error) => (hasBegun ? end({ kind: "threw", error }) : reject(error)));
  worker.on("exit", (code) => end({ kind: "exited", code }));
  return promise;
}

// Node's code for a module whose top-level `await` nothing can end any more.
const UNSETTLED = 13;

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
  const problem =
    ending.kind === "threw"
      ? `it threw after it was loaded: ${ending.error instanceof Error ? ending.error.message : ending.error}`
      : ending.code === UNSETTLED
        ? "a top-level `await` in it never ends"
        : `it called \`process.exit(${ending.code})\` while it was loaded`;
  return fault("FileInvalid", { problem }, { where: { file } });
}
