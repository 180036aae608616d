import { setTimeout as pause } from "node:timers/promises";
import { type Look, openLookout } from "./tree-lookout.ts";
import type { Member, ProcessTree } from "./tree-members.ts";

/** How long after SIGKILL a process may still be seen before it counts as one that cannot be ended. */
const KILL_PATIENCE_MS = 400;
/** How long we look for members that may only seem to be there. */
const DOUBT_PATIENCE_MS = 250;
const LONGEST_PAUSE_MS = 100;

/** Signals a tree whose root runs. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  if (!tree.ownsGroup) sendSignal(tree.pid, signal);
  signalMembers(tree, openLookout(tree)().members, signal);
}

/** The group, and those who left it; each process once, since many take a second SIGTERM for "now". */
function signalMembers(
  tree: ProcessTree,
  members: readonly Member[],
  signal: NodeJS.Signals,
): void {
  if (tree.ownsGroup) sendSignal(-tree.pid, signal);
  for (const { pid, group } of members) {
    const isInGroup = tree.ownsGroup && group === tree.pid;
    if (!isInGroup && pid !== tree.pid) sendSignal(pid, signal);
  }
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // It has ended already, or it is another user's: that one is reported as a survivor.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

export interface LeftoverRule {
  /** What still runs has had its SIGTERM. */
  readonly wasSignalled: boolean;
  readonly graceMs: number;
}

/** Ends all that is left of a tree whose root has ended; answers with those that could not be ended. */
export async function endLeftovers(tree: ProcessTree, rule: LeftoverRule): Promise<number[]> {
  const look = openLookout(tree);
  let left = await lookUntilCertain(look);
  if (left.length === 0) return [];
  if (!rule.wasSignalled) signalMembers(tree, left, "SIGTERM");
  left = await waitUntilGone(look, rule.graceMs);
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  while (left.length > 0 && performance.now() < giveUpAt) {
    signalMembers(tree, left, "SIGKILL");
    left = await waitUntilGone(look, 5);
  }
  return left.map(({ pid }) => pid);
}

async function waitUntilGone(look: () => Look, patienceMs: number): Promise<readonly Member[]> {
  const deadline = performance.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const left = await lookUntilCertain(look);
    const remaining = deadline - performance.now();
    if (left.length === 0 || remaining <= 0) return left;
    await pause(Math.min(wait, remaining));
  }
}

async function lookUntilCertain(look: () => Look): Promise<readonly Member[]> {
  const deadline = performance.now() + DOUBT_PATIENCE_MS;
  for (;;) {
    const { members, isCertain } = look();
    if (members.length > 0 || isCertain || performance.now() > deadline) return members;
    await pause(1);
  }
}

/** For the last moment of this process, when nothing can be waited for. */
export function killTreeAtOnce(tree: ProcessTree): void {
  const look = openLookout(tree);
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  for (;;) {
    const { members, isCertain } = look();
    signalMembers(tree, members, "SIGKILL");
    const isDone = members.length === 0 && isCertain;
    if (isDone || performance.now() > giveUpAt) return;
  }
}
