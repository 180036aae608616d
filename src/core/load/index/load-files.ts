// Where the files of a layer are loaded for the index: in a thread, but for small YAML files. They hold no code, and a thread
// takes longer than all else that a first start does.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readTextOrEmpty, statOf } from "../../project/files.ts";
import { type IndexJob, type JobContext, type JobResult, runIndexJob } from "./job.ts";

/** What is larger could take time and memory that only the end of a thread gives back. */
const MAX_BYTES = 16 * 1024;

// An anchor, `&&a` too. What it names can be unfolded again and again; the `&& ` of a shell line is none.
const ANCHOR = /&[^&\s]/;

/** One that needs a thread takes the others along: the thread is what costs. */
export async function loadForIndex(
  jobs: readonly IndexJob[],
  context: JobContext,
  workerUrl: string,
): Promise<JobResult[]> {
  const results = await runSmallJobs(jobs, context);
  if (results !== null) return results;
  const { runJobsInWorkers } = await import("./workers.ts");
  return runJobsInWorkers(jobs, context, workerUrl);
}

async function runSmallJobs(
  jobs: readonly IndexJob[],
  context: JobContext,
): Promise<JobResult[] | null> {
  if (!jobs.every((job) => isSmall(job, context.source.folder))) return null;
  try {
    const results: JobResult[] = [];
    for (const job of jobs) results.push(await runIndexJob(job, context, []));
    // As a thread would have sent it.
    return JSON.parse(JSON.stringify(results));
  } catch {
    // A file that brings its reader down does so in a thread, which tells which one it was.
    return null;
  }
}

function isSmall(job: IndexJob, folder: string): boolean {
  if (job.kind === "command") return false;
  const path = join(folder, job.kind === "yaml" ? "commands.yaml" : "config.yaml");
  const stat = statOf(path, statSync);
  if (stat === null || !stat.isFile() || stat.size > MAX_BYTES) return false;
  return !ANCHOR.test(readTextOrEmpty(path));
}
