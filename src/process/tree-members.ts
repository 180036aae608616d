// Who of a run is alive: all that carry its id, and all in its process group.
import { readdirSync, readFileSync } from "node:fs";
import { carriesRunId } from "./run-id.ts";

/** A child and whatever it started. */
export interface ProcessTree {
  readonly pid: number;
  readonly runId: string;
  /** The child leads a process group of its own. */
  readonly ownsGroup: boolean;
}

export interface Member {
  readonly pid: number;
  readonly group: number;
}

export interface Sight {
  readonly members: readonly Member[];
  /** A process was seen in the middle of `exec`, when its environment cannot be read. */
  readonly isBlurred: boolean;
}

/** A kernel thread, in the flags of `/proc/PID/stat`; it has no environment either. */
const KERNEL_THREAD = 0x0020_0000;

/** One pass over /proc, 1.5 ms for 85 processes. */
export function findMembersInProc(tree: ProcessTree): Sight {
  const mayHaveGroup = tree.ownsGroup && isGroupThere(tree.pid);
  const members: Member[] = [];
  let isBlurred = false;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = readProcFile(pid, "environ");
    const isCarrier = environment !== null && carriesRunId(environment, tree.runId);
    // Pids grow: only what was started after the child can be a descendant caught in `exec`.
    const isEmpty = environment?.length === 0 && pid > tree.pid;
    if (!isCarrier && !isEmpty && !mayHaveGroup) continue;
    const status = readStatus(pid);
    if (status === null || !status.isLiving) continue;
    if (isCarrier || (tree.ownsGroup && status.group === tree.pid))
      members.push({ pid, group: status.group });
    else if (isEmpty) isBlurred = true;
  }
  return { members, isBlurred };
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

interface Status {
  readonly group: number;
  readonly isLiving: boolean;
}

function readStatus(pid: number): Status | null {
  const stat = readProcFile(pid, "stat")?.toString("latin1");
  if (stat === undefined) return null;
  // The name before it stands in brackets and may hold anything, brackets and spaces included.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isKernelThread = (Number(fields[6]) & KERNEL_THREAD) !== 0;
  return { group: Number(fields[2]), isLiving: !/^[ZX]/.test(fields[0] ?? "Z") && !isKernelThread };
}
