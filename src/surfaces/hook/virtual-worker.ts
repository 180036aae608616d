// The thread in which the resident runs virtual commands, one at a time. What it opened for a place stays open:
// when a file of the place changes, the whole thread is replaced.
import { parentPort, workerData } from "node:worker_threads";
import { Fault, formatFault } from "../../command/fault.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { VirtualJob } from "../../hooks/virtual/virtual-desk.ts";
import { nestRunId, RUN_ID_NAME } from "../../process/run-id.ts";
import type { FromWorker, ToWorker } from "../../resident/warm-worker.ts";
import type { Adjutant } from "../adjutant.ts";
import { sayLine } from "../cli/render.ts";
import { openForJob, runJobIn } from "./run-job.ts";

const MOST_OPEN = 8;
const ownId: string = workerData.id;
const opened = new Map<string, Adjutant>();
let cancel = new AbortController();

async function receive(message: ToWorker<VirtualJob>): Promise<void> {
  if (message.kind === "cancel") {
    cancel.abort();
    return;
  }
  cancel = new AbortController();
  const answer: FromWorker<Streams> = await run(message.job).then(
    (result) => ({ kind: "done", result }),
    explain,
  );
  parentPort?.postMessage(answer);
}

async function run(job: VirtualJob): Promise<Streams> {
  // What is started here is found by it when this thread is ended.
  const runId = nestRunId(job.env[RUN_ID_NAME], ownId);
  const own = { ...job, env: { ...job.env, [RUN_ID_NAME]: runId } };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, own.env);
  return runJobIn(await open(own), own, cancel.signal);
}

async function open(job: VirtualJob): Promise<Adjutant> {
  const key = JSON.stringify([job.cwd, job.root, job.agent, job.env]);
  const known = opened.get(key);
  // Put back at the end: the one that was not used for longest is the first.
  opened.delete(key);
  const adjutant = known ?? (await openForJob(job));
  opened.set(key, adjutant);
  const [oldest] = opened.keys();
  if (opened.size > MOST_OPEN && oldest !== undefined) await close(oldest);
  return adjutant;
}

async function close(key: string): Promise<void> {
  await opened.get(key)?.close();
  opened.delete(key);
}

/** A folder that is gone, a store that cannot be opened, or a bug. */
function explain(error: unknown): FromWorker<Streams> {
  if (!(error instanceof Fault)) return { kind: "failed", problem: String(error) };
  const stderr = Buffer.from(sayLine(formatFault(error)));
  return { kind: "done", result: { stdout: new Uint8Array(), stderr, exitCode: error.exitCode } };
}

parentPort?.on("message", receive);
