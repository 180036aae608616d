// The thread in which users' files are loaded for the index.
import { parentPort, workerData } from "node:worker_threads";
import { runIndexJobs, type WorkerMessage } from "./core/load/index-job.ts";
import { fileKinds } from "./features.ts";

const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

process.once("beforeExit", () => post({ kind: "stuck" }));
// What it throws ends the thread and reaches whoever waits for it. Nothing is run here, so there is no program.
runIndexJobs(workerData, fileKinds(null), post);
