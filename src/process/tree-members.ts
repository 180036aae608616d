// Who of a run is alive: all that carry its id, and all in its process group.
import { readdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { CLOCK_TOLERANCE_S, type ProcStat, parseProcStat } from "./proc-stat.ts";
import { carriesRunId } from "./run-id.ts";

/** A child and whatever it started. */
export interface ProcessTree {
  readonly pid: number;
  readonly runId: string;
  /** The child leads a process group of its own. */
  readonly ownsGroup: boolean;
  /** The system's uptime in seconds when the child was started. */
  readonly since: number;
}

export interface Member {
  readonly pid: number;
  readonly group: number;
}

export interface Sight {
  readonly members: readonly Member[];
  /** Processes that show no environment, as all do in the middle of `exec`: they may be members. */
  readonly unclear: readonly number[];
}

const MOST_LISTINGS = 20;
/** In so short a run nobody can start so many processes that numbers come round. */
const SHORT_RUN_S = 0.5;

/** Looks at every process that may be one, and at those that are started meanwhile. */
export function findMembersInProc(tree: ProcessTree): Sight {
  const hasGroup = tree.ownsGroup && isGroupThere(tree.pid);
  const isShort = uptime() - tree.since < SHORT_RUN_S;
  const known = new Set([process.pid]);
  const members: Member[] = [];
  const unclear: number[] = [];
  let last: number | null = null;
  // A process can start its successor behind our back and end before we look at it.
  for (let listing = 1; listing <= MOST_LISTINGS; listing++) {
    const listed = listProcesses();
    last = isShort ? lastNumber() : null;
    const fresh = listed.filter((pid) => !known.has(pid) && isOfRun(pid, tree.pid, last));
    if (fresh.length === 0) break;
    if (listing === MOST_LISTINGS) unclear.push(...fresh);
    for (const pid of fresh) {
      known.add(pid);
      const found = examine(pid, tree, hasGroup);
      if (found === "unclear") unclear.push(pid);
      else if (found !== null) members.push(found);
    }
    if (last !== null && last === lastNumber()) break;
  }
  return { members, unclear };
}

/** Numbers are given in order, and from the lowest again after the highest. */
export const isOfRun = (pid: number, first: number, last: number | null): boolean =>
  last === null || (first <= last ? pid >= first && pid <= last : pid >= first || pid <= last);

/** The last one that was given to anybody; null where it is not told, and then everybody is looked at. */
function lastNumber(): number | null {
  try {
    return Number(readFileSync("/proc/loadavg", "latin1").split(" ")[4]) || null;
  } catch {
    return null;
  }
}

function listProcesses(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function examine(pid: number, tree: ProcessTree, hasGroup: boolean): Member | "unclear" | null {
  const environment = readProcFile(pid, "environ");
  const isCarrier = environment !== null && carriesRunId(environment, tree.runId);
  const isBare = environment?.length === 0;
  if (!isCarrier && !isBare && !hasGroup) return null;
  const status = readStatus(pid);
  // A kernel thread has no environment either.
  if (status === null || !status.isLiving || status.isKernelThread) return null;
  const isMember = isCarrier || (hasGroup && status.group === tree.pid);
  if (isMember) return { pid, group: status.group };
  const isOlder = status.since < tree.since - CLOCK_TOLERANCE_S;
  return isBare && !isOlder ? "unclear" : null;
}

/** A group of zombies counts too, so this only says whether a closer look is worth it. */
function isGroupThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Null for a process that has ended meanwhile, and for one of another user. */
function readProcFile(pid: number, name: "environ" | "stat"): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    return null;
  }
}

function readStatus(pid: number): ProcStat | null {
  const text = readProcFile(pid, "stat")?.toString("latin1");
  return text === undefined ? null : parseProcStat(text);
}
