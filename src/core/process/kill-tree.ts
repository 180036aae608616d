// Ends a child with all that it started: SIGTERM, a grace period, SIGKILL, until nobody of the tree is left.
import { setTimeout as pause } from "node:timers/promises";
import { systemCodeOf } from "../command/fault.ts";
import {
  findTreeMembers,
  type ProcessTree,
  scanProcessTree,
  type TreeMember,
  type TreeScan,
} from "./process-tree.ts";

/** How long after SIGKILL a process may still be seen before it counts as one that cannot be ended. */
const KILL_PATIENCE_MS = 400;
/** How long we look for members that may only seem to be there. */
const DOUBT_PATIENCE_MS = 1_500;
const MAX_PAUSE_MS = 100;

/** Signals a tree whose root runs. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  if (!tree.ownsGroup) sendSignal(tree.pid, signal);
  signalMembers(tree, findTreeMembers(tree).members, signal);
}

/** The group, and those who left it; each process once, since many take a second SIGTERM for "now". */
function signalMembers(
  tree: ProcessTree,
  members: readonly TreeMember[],
  signal: NodeJS.Signals,
): void {
  if (tree.ownsGroup) sendSignal(-tree.pid, signal);
  for (const { pid, group } of members) {
    const isInGroup = tree.ownsGroup && group === tree.pid;
    if (!isInGroup && pid !== tree.pid) sendSignal(pid, signal);
  }
}

export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    const code = systemCodeOf(error);
    // It has ended already, or it is another user's: that one is reported as a survivor.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

interface LeftoverOptions {
  /** What still runs has had its SIGTERM. */
  readonly wasSignalled: boolean;
  readonly graceMs: number;
}

/** Ends all that is left of a tree whose root has ended; answers with those that could not be ended. */
export async function killLeftovers(
  tree: ProcessTree,
  options: LeftoverOptions,
): Promise<number[]> {
  const scan = scanProcessTree(tree);
  let left = await scanUntilCertain(scan);
  if (left.length === 0) return [];
  if (!options.wasSignalled) signalMembers(tree, left, "SIGTERM");
  left = await waitUntilGone(scan, options.graceMs);
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  while (left.length > 0 && performance.now() < giveUpAt) {
    signalMembers(tree, left, "SIGKILL");
    left = await waitUntilGone(scan, 5);
  }
  return left.map(({ pid }) => pid);
}

async function waitUntilGone(
  scan: () => TreeScan,
  patienceMs: number,
): Promise<readonly TreeMember[]> {
  const deadline = performance.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    const left = await scanUntilCertain(scan);
    const remaining = deadline - performance.now();
    if (left.length === 0 || remaining <= 0) return left;
    await pause(Math.min(wait, remaining));
  }
}

async function scanUntilCertain(scan: () => TreeScan): Promise<readonly TreeMember[]> {
  const deadline = performance.now() + DOUBT_PATIENCE_MS;
  for (;;) {
    const { members, isCertain } = scan();
    if (members.length > 0 || isCertain || performance.now() > deadline) return members;
    await pause(1);
  }
}

/** For the last moment of this process, when nothing can be waited for. */
function killTreeAtOnce(tree: ProcessTree): void {
  const scan = scanProcessTree(tree);
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  for (;;) {
    const { members, isCertain } = scan();
    signalMembers(tree, members, "SIGKILL");
    const isDone = members.length === 0 && isCertain;
    if (isDone || performance.now() > giveUpAt) return;
  }
}

// Whoever ends this process early (an uncaught error, an exit in the middle) must not leave children behind.
const living = new Set<ProcessTree>();

function killAll(): void {
  for (const tree of living) killTreeAtOnce(tree);
}

/** While the returned function has not been called, the tree does not outlive this process. */
export function bindToThisProcess(tree: ProcessTree): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(tree);
  return () => {
    living.delete(tree);
    if (living.size === 0) process.off("exit", killAll);
  };
}

interface LeftRun {
  readonly runId: string;
  /** The system's uptime in seconds when the run began. */
  readonly since: number;
}

/** Ends all that carries the run's id, where nobody is left to do it: the thread that started it was ended. */
export const killRun = ({ runId, since }: LeftRun): Promise<number[]> =>
  killLeftovers(
    { pid: process.pid, runId, ownsGroup: false, since },
    { wasSignalled: false, graceMs: 200 },
  );
