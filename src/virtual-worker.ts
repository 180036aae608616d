// The thread in which the resident runs virtual commands, one at a time. A program that it opened for a project stays
// open: when a file of the project changes, the whole thread is replaced.
import { parentPort, workerData } from "node:worker_threads";
import { Fault } from "./core/command/fault.ts";
import type { Adjutant } from "./core/dispatch/adjutant.ts";
import { shareCompileCache } from "./core/process/compile-cache.ts";
import { nestRunId, RUN_ID_NAME } from "./core/process/environment.ts";
import type { FromWorker, ToWorker } from "./hooks/resident/workers.ts";
import { failedStreams, runJob } from "./hooks/virtual/job.ts";
import type { Streams } from "./hooks/virtual/replay.ts";
import type { VirtualJob } from "./hooks/virtual/virtual-step.ts";

const MAX_OPEN = 8;
shareCompileCache(workerData.compileCache);
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
  return runJob(await open(own), own, cancel.signal);
}

async function open({ cwd, root, agent, env }: VirtualJob): Promise<Adjutant> {
  const key = JSON.stringify([cwd, root, agent, env]);
  const { createAdjutant } = await import("./program.ts");
  const known = opened.get(key);
  // Put back at the end: the one that was not used for longest is the first.
  opened.delete(key);
  const program = known ?? (await createAdjutant({ cwd, env, root, agent, surface: "hook" }));
  opened.set(key, program);
  const [oldest] = opened.keys();
  if (opened.size > MAX_OPEN && oldest !== undefined) await close(oldest);
  return program;
}

async function close(key: string): Promise<void> {
  await opened.get(key)?.close();
  opened.delete(key);
}

/** A folder that is gone, a store that cannot be opened, or a bug. */
const explain = (error: unknown): FromWorker<Streams> =>
  error instanceof Fault
    ? { kind: "done", result: failedStreams(error) }
    : { kind: "failed", problem: String(error) };

parentPort?.on("message", receive);
