// Virtual commands in the resident: in a thread that is there already.
import { fault } from "../../command/fault.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { RunVirtual, VirtualJob } from "../../hooks/virtual/virtual-desk.ts";
import { endRun } from "../../process/end-run.ts";
import { nestRunId, RUN_ID_NAME } from "../../process/run-id.ts";
import { stampPlace } from "../../resident/place-stamp.ts";
import type { WorkerEnding } from "../../resident/warm-worker.ts";
import { createWorkerPool } from "../../resident/worker-pool.ts";
import { failed } from "./run-isolated.ts";

export interface WarmRunner {
  readonly runVirtual: RunVirtual;
  warmUp(): void;
  close(): Promise<void>;
}

export function createWarmRunner(): WarmRunner {
  const pool = createWorkerPool<VirtualJob, Streams>({
    url: ownWorker(),
    cleanUp: ({ id, since }, { env }) => endRun({ runId: nestRunId(env[RUN_ID_NAME], id), since }),
  });
  return {
    warmUp: pool.warmUp,
    close: pool.close,
    runVirtual: async (job, signal) => {
      const place = `${job.paths.configDir}\n${job.root}`;
      const rule = { place, stamp: stampPlace(job), limitMs: job.limitMs, signal };
      return streamsOf(job, await pool.run(job, rule));
    },
  };
}

/** From the source tree, or from the build, where all files lie side by side. */
function ownWorker(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./virtual-worker.ts" : "./virtual-worker.cjs", import.meta.url);
}

function streamsOf({ name, limitMs }: VirtualJob, ending: WorkerEnding<Streams>): Streams {
  switch (ending.kind) {
    case "done":
      return ending.result;
    case "failed":
      return failed(fault("HandlerThrew", { name, problem: ending.problem }));
    case "timed_out":
      return failed(fault("CommandTimeout", { name, limitMs }));
    case "cancelled":
      return failed(fault("Cancelled", { name, signal: "SIGTERM" }));
    case "lost":
      return failed(fault("ProcessLost", { name }));
  }
}
