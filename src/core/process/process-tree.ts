// Who of a run is alive: all that carry its id, and all in its process group.
import { existsSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { systemCodeOf } from "../command/fault.ts";
import { carriesRunId, RUN_ID_NAME } from "./environment.ts";
import {
  CLOCK_TOLERANCE_S,
  listProcesses,
  readProcFile,
  readProcStat,
  runSystemProgram,
} from "./identity.ts";

/** A child and whatever it started. */
export interface ProcessTree {
  readonly pid: number;
  readonly runId: string;
  /** The child leads a process group of its own. */
  readonly ownsGroup: boolean;
  /** The system's uptime in seconds when the child was started. */
  readonly since: number;
}

export interface TreeMember {
  readonly pid: number;
  readonly group: number;
}

interface FoundMembers {
  readonly members: readonly TreeMember[];
  /** Processes that show no environment, as all do in the middle of `exec`: they may be members. */
  readonly unclear: readonly number[];
}

/** Who of the tree is seen at one look. */
export const findTreeMembers = existsSync("/proc/self/environ")
  ? findMembersInProc
  : findMembersByPs;

/** Beside much else a process stays in the middle of `exec` for many turns of the others, but not for so long. */
const EXEC_PATIENCE_MS = 1_000;

export interface TreeScan {
  readonly members: readonly TreeMember[];
  /** False while there may be others: look again. */
  readonly isCertain: boolean;
}

/** Looks at a tree again and again, and remembers who could not be told the last time. */
export function scanProcessTree(tree: ProcessTree): () => TreeScan {
  let unclearSince = new Map<number, number>();
  return () => {
    const { members, unclear } = findTreeMembers(tree);
    const now = performance.now();
    unclearSince = new Map(unclear.map((pid) => [pid, unclearSince.get(pid) ?? now]));
    const isCertain = [...unclearSince.values()].every((since) => now - since > EXEC_PATIENCE_MS);
    return { members, isCertain };
  };
}

const MAX_LISTINGS = 20;
/** In so short a run nobody can start so many processes that numbers come round. */
const SHORT_RUN_S = 0.5;

/** Looks at every process that may be one, and at those that are started meanwhile. */
export function findMembersInProc(tree: ProcessTree): FoundMembers {
  const hasGroup = tree.ownsGroup && isGroupThere(tree.pid);
  const isShort = uptime() - tree.since < SHORT_RUN_S;
  const known = new Set([process.pid]);
  const members: TreeMember[] = [];
  const unclear: number[] = [];
  let last: number | null = null;
  // A process can start its successor behind our back and end before we look at it.
  for (let listing = 1; listing <= MAX_LISTINGS; listing++) {
    const listed = listProcesses();
    last = isShort ? lastNumber() : null;
    let hasEnded = false;
    const fresh = listed.filter((pid) => !known.has(pid) && isOfRun(pid, tree.pid, last));
    if (fresh.length === 0) break;
    if (listing === MAX_LISTINGS) unclear.push(...fresh);
    for (const pid of fresh) {
      known.add(pid);
      const found = examine(pid, tree, hasGroup);
      if (found === "ended") hasEnded = true;
      else if (found === "unclear") unclear.push(pid);
      else if (found !== null) members.push(found);
    }
    // A number is given before its process is listed: who has ended may have been about to start it.
    if (last !== null && last === lastNumber() && !hasEnded) break;
  }
  return { members, unclear };
}

/** Process numbers are given in order, and from the lowest again after the highest. */
export const isOfRun = (pid: number, first: number, last: number | null): boolean =>
  last === null || (first <= last ? pid >= first && pid <= last : pid >= first || pid <= last);

/** The last number that was given to anybody; null where it is not told, and then everybody is looked at. */
function lastNumber(): number | null {
  try {
    return Number(readFileSync("/proc/loadavg", "latin1").split(" ")[4]) || null;
  } catch {
    return null;
  }
}

function examine(
  pid: number,
  tree: ProcessTree,
  hasGroup: boolean,
): TreeMember | "unclear" | "ended" | null {
  const environment = readProcFile(pid, "environ");
  const isCarrier = environment !== null && carriesRunId(environment, tree.runId);
  const isBare = environment === null || environment.length === 0;
  if (!isCarrier && !isBare && !hasGroup) return null;
  const status = readProcStat(pid);
  if (status === null || !status.isLiving) return "ended";
  // A kernel thread has no environment either.
  if (status.isKernelThread) return null;
  const isMember = isCarrier || (hasGroup && status.group === tree.pid);
  if (isMember) return { pid, group: status.group };
  const isOlder = status.since < tree.since - CLOCK_TOLERANCE_S;
  if (!isBare || isOlder || environment === null) return null;
  if (status.isStarting) return "unclear";
  // Between the two looks it may have come out of `exec`, and be in the next.
  const again = readProcFile(pid, "environ") ?? Buffer.of();
  if (carriesRunId(again, tree.runId)) return { pid, group: status.group };
  return again.length === 0 && readProcStat(pid)?.isStarting ? "unclear" : null;
}

/** A group of zombies counts too, so this only says whether a closer look is worth it. */
function isGroupThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}

// The same question where there is no /proc (macOS): `ps` shows the environment behind the command.

const COLUMNS = ["-o", "pid=,pgid=,stat=,command="];
const ARGUMENTS = process.platform === "darwin" ? ["-A", "-E", "-ww"] : ["axeww"];

export function findMembersByPs(tree: ProcessTree): FoundMembers {
  const listing = runSystemProgram("ps", [...ARGUMENTS, ...COLUMNS], "latin1");
  return { members: readListing(listing, tree), unclear: [] };
}

function readListing(listing: string, tree: ProcessTree): TreeMember[] {
  const members: TreeMember[] = [];
  for (const line of listing.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null) continue;
    const [pid, group] = [Number(match[1]), Number(match[2])];
    const isLiving = !match[3]?.startsWith("Z") && pid !== process.pid;
    const isInGroup = tree.ownsGroup && group === tree.pid;
    if (isLiving && (isInGroup || showsRunId(match[4] ?? "", tree.runId)))
      members.push({ pid, group });
  }
  return members;
}

function showsRunId(words: string, runId: string): boolean {
  const entry = ` ${RUN_ID_NAME}=${runId}`;
  const at = words.indexOf(entry);
  return at >= 0 && ["", " ", "/"].includes(words.charAt(at + entry.length));
}
