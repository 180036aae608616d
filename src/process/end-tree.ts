import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { findMembersInProc, type ProcessTree, type Sight } from "./tree-members.ts";
import { findMembersByPs } from "./tree-members-by-ps.ts";

/** How long after SIGKILL a process may still be seen before it counts as one that cannot be ended. */
const KILL_PATIENCE_MS = 400;
/** `exec` leaves the environment unreadable for microseconds; somebody's `env -i` leaves it empty for good. */
const BLUR_PAUSES_MS = [1, 2, 4, 8];
const LONGEST_PAUSE_MS = 100;

const hasProc = existsSync("/proc/self/environ");

function findMembers(tree: ProcessTree): Sight {
  return hasProc ? findMembersInProc(tree) : findMembersByPs(tree);
}

/** Signals a tree whose root runs. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  if (!tree.ownsGroup) sendSignal(tree.pid, signal);
  signalRest(tree, signal);
}

/** The group, and those who left it; each process once, since many take a second SIGTERM for "now". */
function signalRest(tree: ProcessTree, signal: NodeJS.Signals): void {
  const { members } = findMembers(tree);
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
  if ((await lookForMembers(tree)).length === 0) return [];
  if (!rule.wasSignalled) signalRest(tree, "SIGTERM");
  let left = await waitUntilGone(tree, rule.graceMs);
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  while (left.length > 0 && performance.now() < giveUpAt) {
    signalRest(tree, "SIGKILL");
    left = await waitUntilGone(tree, LONGEST_PAUSE_MS);
  }
  return left;
}

async function waitUntilGone(tree: ProcessTree, patienceMs: number): Promise<number[]> {
  const deadline = performance.now() + patienceMs;
  for (let wait = 2; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const left = await lookForMembers(tree);
    const remaining = deadline - performance.now();
    if (left.length === 0 || remaining <= 0) return left;
    await pause(Math.min(wait, remaining));
  }
}

async function lookForMembers(tree: ProcessTree): Promise<number[]> {
  for (const wait of BLUR_PAUSES_MS) {
    const { members, isBlurred } = findMembers(tree);
    if (members.length > 0 || !isBlurred) return members.map(({ pid }) => pid);
    await pause(wait);
  }
  return findMembers(tree).members.map(({ pid }) => pid);
}
