// One virtual command, run for an agent: in a process of its own, or right here by a process or thread that exists
// for it. Either way the bytes and the exit code are those that `adj run` would have ended with.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, fault, formatFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Outcome } from "../../core/command/request.ts";
import type { ProcessEnding } from "../../core/process/command-spec.ts";
import { findCompileCache } from "../../core/process/compile-cache.ts";
import { runProcess } from "../../core/process/run.ts";
import { makeFolder, readTextIfExists, replaceFile } from "../../core/project/files.ts";
import { formatMessage, renderOutcome } from "../../core/terminal/render.ts";
import type { Streams } from "./replay.ts";
import type { VirtualJob } from "./virtual-step.ts";

/** For the command's own end, which it is told to come to first. */
const GRACE_MS = 1_000;

interface IsolatedOptions {
  /** The file that a new process runs: the entry that calls `runJobMessage`. */
  readonly runner: string;
  readonly signal: AbortSignal;
}

/**
 * Users' code in a process of its own: whatever it prints, and however it ends, this process's stdout holds the
 * answer and nothing else. A thread would not do: what a thread starts or writes by descriptor is this process's.
 */
export async function runIsolated(job: VirtualJob, options: IsolatedOptions): Promise<Streams> {
  const file = join(job.paths.stateDir, "virtual", "results", `${newId()}.json`);
  makeFolder(dirname(file), 0o700);
  // The job knows where it is to run, and says it well when that cannot be.
  const args = [options.runner, findCompileCache() ?? ""];
  const spec = { executable: process.execPath, args, env: setOf(job), cwd: "/" };
  try {
    const ending = await runProcess(spec, {
      stdin: JSON.stringify({ job, file }),
      signal: options.signal,
      timeoutMs: job.limitMs + GRACE_MS,
      graceMs: 200,
      keepBytes: 0,
    });
    const text = readTextIfExists(file);
    return text === null ? explainEnding(job, ending) : readStreams(text);
  } finally {
    rmSync(file, { force: true });
  }
}

const setOf = ({ env }: VirtualJob): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** The runner ended without a result. */
function explainEnding({ name, limitMs }: VirtualJob, ending: ProcessEnding): Streams {
  if (ending.kind === "timed_out") return failedStreams(fault("CommandTimeout", { name, limitMs }));
  if (ending.kind === "cancelled")
    return failedStreams(fault("Cancelled", { name, signal: "SIGTERM" }));
  return failedStreams(fault("ProcessLost", { name }));
}

export const failedStreams = (raised: Fault): Streams => ({
  stdout: new Uint8Array(),
  stderr: Buffer.from(formatMessage(formatFault(raised))),
  exitCode: raised.exitCode,
});

/** As much of the program as a job takes, opened for the job's folders and environment. */
interface JobProgram {
  dispatch(request: {
    readonly name: string;
    readonly args: readonly string[];
    readonly sessionId: string;
    readonly correlationId: string;
    readonly signal: AbortSignal;
  }): Promise<Outcome>;
  close(): Promise<void>;
}

/** Rejects only for a bug. */
export async function runJob(
  program: JobProgram,
  { name, words, sessionId, correlationId, limitMs }: VirtualJob,
  signal: AbortSignal,
): Promise<Streams> {
  const limit = new AbortController();
  const expire = () => limit.abort(fault("CommandTimeout", { name, limitMs }));
  const timer = setTimeout(expire, limitMs);
  try {
    const outcome = await program.dispatch({
      name,
      args: words,
      sessionId,
      correlationId,
      signal: AbortSignal.any([limit.signal, signal]),
    });
    const { stdout, stderr } = renderOutcome(outcome, new Set());
    return {
      stdout: Buffer.from(stdout),
      stderr: Buffer.from(stderr),
      exitCode: outcome.result.exitCode,
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The whole life of a runner's process: the job that stdin holds, and its result in the file that it names. */
export async function runJobMessage(
  message: string,
  open: (job: VirtualJob) => Promise<JobProgram>,
): Promise<void> {
  const { job, file }: { job: VirtualJob; file: string } = JSON.parse(message);
  const cancel = new AbortController();
  process.once("SIGTERM", () => cancel.abort());
  const streams = await openAndRun(job, open, cancel.signal).catch(explainFault);
  replaceFile(file, printStreams(streams));
}

async function openAndRun(
  job: VirtualJob,
  open: (job: VirtualJob) => Promise<JobProgram>,
  signal: AbortSignal,
): Promise<Streams> {
  const program = await open(job);
  try {
    return await runJob(program, job, signal);
  } finally {
    await program.close();
  }
}

/** A folder that is gone, a store that cannot be opened. A bug ends the process, which is seen from outside. */
function explainFault(error: unknown): Streams {
  if (!(error instanceof Fault)) throw error;
  return failedStreams(error);
}

const printStreams = ({ stdout, stderr, exitCode }: Streams): string =>
  JSON.stringify({
    stdout: Buffer.from(stdout).toString("base64"),
    stderr: Buffer.from(stderr).toString("base64"),
    exitCode,
  });

function readStreams(text: string): Streams {
  const { stdout, stderr, exitCode } = JSON.parse(text);
  return {
    stdout: Buffer.from(stdout, "base64"),
    stderr: Buffer.from(stderr, "base64"),
    exitCode,
  };
}
