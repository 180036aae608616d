// The one place where programs are run: argv commands, hook handlers, agents and evaluators.
import { accompanyChild, type Course } from "./accompany-child.ts";
import type { CommandSpec } from "./command-spec.ts";
import {
  describeCancelledBeforeStart,
  describeEnding,
  describeNotStarted,
  type ProcessEnding,
} from "./process-ending.ts";
import { closeRawFiles, openRawFiles } from "./raw-file-pair.ts";
import { type RunTimes, startRunClock } from "./run-clock.ts";
import { nestRunId, RUN_ID_NAME } from "./run-id.ts";
import type { RunOptions } from "./run-options.ts";
import { startChild } from "./start-child.ts";

/**
 * Runs a program to its end in a process group of its own, without a shell. When it returns, nothing
 * that the program started is alive. Every ending is a value; it rejects only with what `onChunk` threw.
 *
 * @example
 * const spec = { executable: "cat", args: [], env: {}, cwd: "/" };
 * const ending = await runProcess(spec, { stdin: "hello" });
 * ending.kind; // "exited", with `exitCode` 0 and the bytes of "hello" in `stdout`
 */
export async function runProcess(
  spec: CommandSpec,
  options: RunOptions = {},
): Promise<ProcessEnding> {
  const readClock = startRunClock();
  if (options.signal?.aborted) return describeCancelledBeforeStart(readClock());
  const opening = openRawFiles(options.rawFiles);
  if (opening.kind === "failed") return describeNotStarted(readClock(), opening);
  const runId = nestRunId(spec.env[RUN_ID_NAME], options.runId ?? crypto.randomUUID());
  const stdin = decideStdin(options);
  const start = await startChild(spec, { runId, stdio: [stdin, "pipe", "pipe"], ownsGroup: true });
  if (start.kind === "failed") {
    await closeRawFiles(opening.files);
    return describeNotStarted(readClock(), start);
  }
  const course = await accompanyChild(start, { options, files: opening.files });
  return describeCourse(course, start.tree.pid, readClock());
}

function decideStdin({ stdin, inheritsStdin }: RunOptions): "inherit" | "pipe" | "ignore" {
  if (inheritsStdin) return "inherit";
  return stdin === undefined ? "ignore" : "pipe";
}

function describeCourse(course: Course, pid: number, times: RunTimes): ProcessEnding {
  const { attendance, output, ioProblem, survivors } = course;
  if (output.failure !== null) throw output.failure.error;
  const { stdout, stderr, truncated } = output;
  const { exitCode, signal } = attendance;
  const facts = { stdout, stderr, truncated, pid, exitCode, signal, ioProblem, survivors };
  return describeEnding({ ...times, ...facts }, decideStop(course));
}

/** A child that wrote too much and ended before it could be stopped has still written too much. */
function decideStop({ attendance: { cause }, output }: Course) {
  if (cause !== null && cause !== "consumer_failed") return cause;
  return output.isOverKillLimit ? "output_limit" : null;
}
