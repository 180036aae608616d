import { attendExit } from "./attend-exit.ts";
import type { CommandSpec } from "./command-spec.ts";
import { endLeftovers, signalTree } from "./end-tree.ts";
import {
  describeCancelledBeforeStart,
  describeEnding,
  describeNotStarted,
  type ProcessEnding,
} from "./process-ending.ts";
import { startRunClock } from "./run-clock.ts";
import { nestRunId, RUN_ID_NAME } from "./run-id.ts";
import { startChild } from "./start-child.ts";
import { openStopRequest } from "./stop-request.ts";

const GRACE_MS = 5_000;
const NO_OUTPUT = {
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: false,
  ioProblem: null,
};

/**
 * Lends the program this terminal: editors, `sudo` and `ssh` need stdin, stdout and the foreground
 * group. The terminal's own keys (interrupt, suspend) reach it without us; a cancel ends it and what
 * it started. After a normal exit its background processes go on, as they do in a shell.
 */
export async function runInteractive(
  spec: CommandSpec,
  signal?: AbortSignal,
): Promise<ProcessEnding> {
  const readClock = startRunClock();
  if (signal?.aborted) return describeCancelledBeforeStart(readClock());
  const runId = nestRunId(spec.env[RUN_ID_NAME], crypto.randomUUID());
  const start = await startChild(spec, { runId, stdio: "inherit", ownsGroup: false });
  if (start.kind === "failed") return describeNotStarted(readClock(), start);
  const { tree } = start;
  const stop = openStopRequest(signal === undefined ? {} : { signal });
  const attendance = await attendExit(start.exit, {
    requested: stop.requested,
    graceMs: GRACE_MS,
    signalAll: (name) => signalTree(tree, name),
  });
  stop.close();
  const { cause, exitCode, graceLeftMs } = attendance;
  const survivors =
    cause === null ? [] : await endLeftovers(tree, { wasSignalled: true, graceMs: graceLeftMs });
  if (!attendance.hasEnded) start.child.unref();
  const facts = { ...NO_OUTPUT, pid: tree.pid, exitCode, signal: attendance.signal, survivors };
  return describeEnding({ ...readClock(), ...facts }, cause === null ? null : "cancelled");
}
