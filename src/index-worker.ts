// The thread in which users' files are loaded for the index.
import { parentPort, workerData } from "node:worker_threads";
import type { WorkerMessage } from "./core/load/index/job.ts";
import { shareCompileCache } from "./core/process/compile-cache.ts";

const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function loadFiles(): Promise<void> {
  const { runIndexJobs } = await import("./core/load/index/job.ts");
  const { fileKinds } = await import("./features.ts");
  // Nothing is run here, so there is no program.
  await runIndexJobs(workerData, fileKinds(null), post);
}

shareCompileCache(workerData.compileCache);
process.once("beforeExit", () => post({ kind: "stuck" }));
// What it throws ends the thread and reaches whoever waits for it.
loadFiles();
