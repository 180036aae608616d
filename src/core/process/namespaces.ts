// Whether this process sees the machine as its owner does: in namespaces of its own a process neither shows who started it,
// nor need the files that it sees be those that are there.
import { existsSync, readFileSync, readlinkSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Namespaces {
  /** The pids are those of the whole machine. */
  readonly isFirstPid: boolean;
  /** So are users, and the mounts as far as can be seen: without root it takes a user namespace to mount anything. */
  readonly isFirstMounts: boolean;
}

/** The numbers that Linux gives the first namespaces of a machine. */
const FIRST = { pid: "pid:[4026531836]", user: "user:[4026531837]" };

export function readNamespaces(): Namespaces {
  if (process.platform !== "linux") return { isFirstPid: true, isFirstMounts: true };
  const own = readNamespace("self", "mnt");
  const first = readNamespace("1", "mnt");
  return {
    isFirstPid: readNamespace("self", "pid") === FIRST.pid,
    isFirstMounts:
      readNamespace("self", "user") === FIRST.user && (first === null || first === own),
  };
}

function readNamespace(process: string, kind: "pid" | "user" | "mnt"): string | null {
  try {
    return readlinkSync(`/proc/${process}/ns/${kind}`);
  } catch {
    return null;
  }
}

const PROC_MAGIC = 0x9f_a0;

/** Why `/proc` may not show what is so; null where nothing speaks against it. */
export function whyUnseen(): string | null {
  if (process.platform !== "linux") return null;
  try {
    if (statfsSync("/proc").type !== PROC_MAGIC) return "`/proc` does not show processes";
    const mounts = readFileSync("/proc/self/mountinfo", "utf8");
    const over = / (\/proc\/(?:self|\d+)(?:\/\S*)?) /.exec(mounts)?.[1];
    return over === undefined ? null : `something is mounted over \`${over}\``;
  } catch {
    return "`/proc` cannot be read";
  }
}

// A state folder that is used from the machine itself says so from then on: whoever comes to it from namespaces of its own
// was started by something that cannot be seen from there. A container with a state folder of its own has no such file.

const machineFile = (stateDir: string): string => join(stateDir, "machine");

export const belongsToMachine = (stateDir: string): boolean => existsSync(machineFile(stateDir));

/** Whether this process may see other files than the rest of the machine that uses the same state. */
export const seesOtherFiles = (stateDir: string): boolean =>
  belongsToMachine(stateDir) && !readNamespaces().isFirstMounts;

/** Best effort: a folder that cannot be written keeps nothing else either. */
export function markMachine(stateDir: string): void {
  const { isFirstPid, isFirstMounts } = readNamespaces();
  if (!isFirstPid || !isFirstMounts || belongsToMachine(stateDir)) return;
  try {
    writeFileSync(machineFile(stateDir), "", { mode: 0o600 });
  } catch {
    return;
  }
}
