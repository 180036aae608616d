// Users' code in a process of its own: whatever it prints, and however it ends, this process's stdout holds the
// answer and nothing else. A thread would not do: what a thread starts or writes by descriptor is this process's.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Fault, fault, formatFault } from "../../command/fault.ts";
import { readIfThere } from "../../config/trust-store.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { RunVirtual, VirtualJob } from "../../hooks/virtual/virtual-desk.ts";
import { newId } from "../../new-id.ts";
import type { ProcessEnding } from "../../process/process-ending.ts";
import { runProcess } from "../../process/run-process.ts";
import { sayLine } from "../cli/render.ts";
import { readStreams } from "./job-message.ts";

/** For the command's own end, which it is told to come to first. */
const GRACE_MS = 1_000;

export const runIsolated: RunVirtual = async (job, signal) => {
  const file = join(job.paths.stateDir, "virtual", "results", `${newId()}.json`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const ending = await runProcess(runnerSpec(job), {
      stdin: JSON.stringify({ job, file }),
      signal,
      timeoutMs: job.limitMs + GRACE_MS,
      graceMs: 200,
      keepBytes: 0,
    });
    const text = readIfThere(file);
    return text === null ? explain(job, ending) : readStreams(text);
  } finally {
    rmSync(file, { force: true });
  }
};

const runnerSpec = ({ env }: VirtualJob) => ({
  executable: process.execPath,
  args: [ownRunner()],
  env: definedOf(env),
  // The job knows where it is to run, and says it well when that cannot be.
  cwd: "/",
});

const definedOf = (env: VirtualJob["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** From the source tree, or from the build, where all files lie side by side. */
function ownRunner(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(
    new URL(isSource ? "./virtual-runner.ts" : "./virtual-runner.cjs", import.meta.url),
  );
}

/** It ended without a word. */
function explain({ name, limitMs }: VirtualJob, ending: ProcessEnding): Streams {
  if (ending.kind === "timed_out") return failed(fault("CommandTimeout", { name, limitMs }));
  if (ending.kind === "cancelled") return failed(fault("Cancelled", { name, signal: "SIGTERM" }));
  return failed(fault("ProcessLost", { name }));
}

export const failed = (raised: Fault): Streams => ({
  stdout: new Uint8Array(),
  stderr: Buffer.from(sayLine(formatFault(raised))),
  exitCode: raised.exitCode,
});
