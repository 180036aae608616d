// Who this process is, so that another one can tell later whether it still lives.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { systemCodeOf } from "../command/fault.ts";

/** A process as others can recognise it: a pid alone may have been given to somebody else. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot (Linux) or start date (macOS). */
  readonly startedAt: string;
  /** Boot id and pid namespace; owners elsewhere cannot be seen, only heard. */
  readonly host: string;
}

let self: ProcessIdentity | null = null;

/** This process as others recognise it; found out once. */
export function identifySelf(): ProcessIdentity {
  self ??= readOwnIdentity();
  return self;
}

/** `"unseen"` where this process cannot tell: another boot, another pid namespace, a hidden process. */
export function isAlive(identity: ProcessIdentity): boolean | "unseen" {
  const me = identifySelf();
  if (identity.host !== me.host) return "unseen";
  if (identity.pid === me.pid) return identity.startedAt === me.startedAt;
  return decideAlive(identity, readProcessState(identity.pid));
}

/** A zombie has ended, it only has not been buried; a pid with another start is somebody else. */
export function decideAlive(identity: ProcessIdentity, seen: SeenState): boolean | "unseen" {
  if (seen.kind === "gone") return false;
  if (seen.kind === "hidden") return "unseen";
  return seen.startedAt === identity.startedAt && !/^[ZX]/.test(seen.state);
}

function readOwnIdentity(): ProcessIdentity {
  const host = nameHost();
  const seen = host === null ? null : readProcessState(process.pid);
  if (host === null || seen?.kind !== "seen") return describeBlindly();
  return { pid: process.pid, startedAt: seen.startedAt, host };
}

/** A host of its own: nobody can look at this process, and it can look at nobody. */
function describeBlindly(): ProcessIdentity {
  const startedAt = String(Math.round(performance.timeOrigin));
  return { pid: process.pid, startedAt, host: `unseen:${crypto.randomUUID()}` };
}

function nameHost(): string | null {
  try {
    return process.platform === "darwin" ? nameMacHost() : nameLinuxHost();
  } catch {
    return null;
  }
}

function nameMacHost(): string {
  return runSystemProgram("sysctl", ["-n", "kern.bootsessionuuid"]).trim();
}

function nameLinuxHost(): string | null {
  // In a new pid namespace with the old /proc the pids there are not ours.
  if (readlinkSync("/proc/self") !== String(process.pid)) return null;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
}

// What the operating system shows of a process, reduced to what tells one process from the next.

export type SeenState =
  | { readonly kind: "seen"; readonly state: string; readonly startedAt: string }
  | { readonly kind: "gone" }
  /** It is there, or may be, but nothing more can be said from here. */
  | { readonly kind: "hidden" };

export function parseLinuxStat(text: string): SeenState {
  const stat = parseProcStat(text);
  if (stat === null) return { kind: "hidden" };
  return { kind: "seen", state: stat.state, startedAt: stat.startedAt };
}

/** A line of `ps -o stat=,lstart=`: `Ss+  Sun Nov 15 22:26:01 2026`. */
export function parsePsLine(line: string): SeenState {
  const match = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match?.[1] || !match[2]) return { kind: "gone" };
  return { kind: "seen", state: match[1], startedAt: match[2].replaceAll(/\s+/g, " ") };
}

export function readProcessState(pid: number): SeenState {
  return process.platform === "darwin" ? readStateByPs(pid) : readStateInProc(pid);
}

function readStateInProc(pid: number): SeenState {
  try {
    return parseLinuxStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // A /proc mounted with hidepid shows nothing of other users' processes; a signal still finds them.
    return isSignalable(pid) ? { kind: "hidden" } : { kind: "gone" };
  }
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}

function readStateByPs(pid: number): SeenState {
  try {
    return parsePsLine(runSystemProgram("ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
  } catch (error) {
    // `ps` ends with status 1 when it finds no such process; anything else says nothing about it.
    const isMissing = error instanceof Error && "status" in error && error.status === 1;
    return isMissing ? { kind: "gone" } : { kind: "hidden" };
  }
}

/** Only macOS needs programs to look at processes, so only there `node:child_process` is loaded: 3 ms of CPU. */
export function runSystemProgram(
  program: string,
  args: readonly string[],
  encoding: BufferEncoding = "utf8",
): string {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync(program, args, {
    encoding,
    env: { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

// What Linux says of processes in `/proc`.

export interface ProcStat {
  /** `R`, `S`, `Z` … */
  readonly state: string;
  readonly isLiving: boolean;
  readonly parent: number;
  readonly group: number;
  /** The pid of the session's leader, living or not; 0 where it is in another pid namespace. */
  readonly session: number;
  /** The number of the device that controls it; 0 where none does. */
  readonly terminal: number;
  readonly isKernelThread: boolean;
  /** It is in the middle of `exec` and has no environment yet; also where that is not told. */
  readonly isStarting: boolean;
  /** In clock ticks since the system started, as it stands there. */
  readonly startedAt: string;
  /** The same as the system's uptime in seconds. */
  readonly since: number;
}

const KERNEL_THREAD = 0x0020_0000;
/** Where the address of the environment's end stands: 0 until `exec` has made one, and no other time, even of an empty one. */
const ENVIRONMENT_END = 48;
const TICKS_PER_SECOND = 100;
/** Two readings of the uptime for one moment lie no further apart. */
export const CLOCK_TOLERANCE_S = 0.05;

/** Null where it is not what it should be. */
function parseProcStat(text: string): ProcStat | null {
  // The name before it stands in brackets and may hold anything, brackets and spaces included.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session, terminal, , flags] = fields;
  const startedAt = fields[19];
  if (!state || !startedAt) return null;
  return {
    state,
    isLiving: !/^[ZX]/.test(state),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: Number(terminal),
    isKernelThread: (Number(flags) & KERNEL_THREAD) !== 0,
    isStarting: fields[ENVIRONMENT_END] === "0",
    startedAt,
    since: Number(startedAt) / TICKS_PER_SECOND,
  };
}

export function listProcesses(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Null for a process that has ended meanwhile, and for one of another user. */
export function lookAtProcess<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}

export const readProcFile = (pid: number, name: "cmdline" | "environ" | "stat"): Buffer | null =>
  lookAtProcess(() => readFileSync(`/proc/${pid}/${name}`));

export function readProcStat(pid: number): ProcStat | null {
  const text = readProcFile(pid, "stat")?.toString("latin1");
  return text === undefined ? null : parseProcStat(text);
}
