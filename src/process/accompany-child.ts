import { type Attendance, attendExit } from "./attend-exit.ts";
import { drainOutput } from "./drain-output.ts";
import { endLeftovers, signalTree } from "./end-tree.ts";
import { feedStdin } from "./feed-stdin.ts";
import { bindToThisProcess } from "./living-trees.ts";
import { type CollectedOutput, OutputCollection } from "./output-collection.ts";
import { closeRawFiles, type RawFilePair } from "./raw-file-pair.ts";
import type { RunOptions } from "./run-options.ts";
import type { StartedChild } from "./start-child.ts";
import { openStopRequest } from "./stop-request.ts";
import type { ProcessTree } from "./tree-members.ts";

const DEFAULT_GRACE_MS = 5_000;
/** For what a child left running when it ended by itself: a background `git gc` tidies up on SIGTERM. */
const LEFTOVER_GRACE_MS = 250;

export interface Company {
  readonly options: RunOptions;
  readonly files: RawFilePair | null;
}

/** What happened to a child that was started. */
export interface Course {
  readonly attendance: Attendance;
  readonly output: CollectedOutput;
  readonly ioProblem: string | null;
  readonly survivors: readonly number[];
}

/** Stays with a child until the last process of its tree has ended and its output is in. */
export async function accompanyChild(start: StartedChild, company: Company): Promise<Course> {
  const { options, files } = company;
  const { tree } = start;
  const unbind = bindToThisProcess(tree);
  const stop = openStopRequest(options);
  const output = new OutputCollection(start.child, { options, files, stop: stop.ask });
  const fed = feedStdin(start.child.stdin, options.stdin);
  const attendance = await attendExit(start.exit, {
    requested: stop.requested,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    signalAll: (signal) => signalTree(tree, signal),
  });
  stop.close();
  const survivors = await endRest(tree, attendance, options.reap ?? "always");
  await drainOutput(output, { isStopped: attendance.cause !== null, signal: options.signal });
  if (!attendance.hasEnded) abandon(start);
  unbind();
  const fileProblem = await closeRawFiles(files);
  const collected = output.conclude();
  const ioProblem = fed.problem ?? collected.problem ?? fileProblem;
  return { attendance, output: collected, ioProblem, survivors };
}

async function endRest(
  tree: ProcessTree,
  { cause, graceLeftMs }: Attendance,
  reap: "always" | "on-kill",
): Promise<number[]> {
  if (cause !== null) return endLeftovers(tree, { wasSignalled: true, graceMs: graceLeftMs });
  if (reap === "on-kill") return [];
  return endLeftovers(tree, { wasSignalled: false, graceMs: LEFTOVER_GRACE_MS });
}

/** A child that nothing can end must not keep this process alive as well. */
function abandon({ child }: StartedChild): void {
  child.stdin?.destroy();
  child.unref();
}
