// Who started this process, as far up as can be seen, and who else of this user runs beside it.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import {
  listProcesses,
  lookAtProcess,
  readProcFile,
  readProcStat,
  runSystemProgram,
} from "./identity.ts";
import { readNamespaces, whyUnseen } from "./namespaces.ts";

export interface SeenProcess {
  readonly pid: number;
  /** 0 where it was started from outside of what can be seen, as by `docker exec`. */
  readonly parent: number;
  /** The pid of its session's leader, living or not; null where that is not told (macOS). */
  readonly session: number | null;
  readonly hasTerminal: boolean;
  /** Orders processes by their start. */
  readonly startedAt: number;
  readonly words: readonly string[];
  /** The program that runs, links resolved; null where it may not be seen. */
  readonly program: string | null;
}

export interface Ancestry {
  /** This process first, then its parent, up to the last that can be seen. */
  readonly chain: readonly SeenProcess[];
  /** Of those above, whichever environment may be read. */
  readonly environments: readonly string[];
  /** The pids are those of the whole machine, not of a namespace of their own. */
  readonly isWholeMachine: boolean;
  /** Why what stands here may not be so; null where nothing speaks against it. */
  readonly unseen: string | null;
}

const MAX_ANCESTORS = 200;
const hasProc = existsSync("/proc/self/stat");

export function readAncestry(): Ancestry {
  const chain = hasProc ? walkProc(process.pid) : walkListing(process.pid, listByPs());
  const above = chain.slice(1);
  return {
    chain,
    environments: hasProc ? above.flatMap(({ pid: one }) => readEnvironment(one)) : [],
    isWholeMachine: readNamespaces().isFirstPid,
    unseen: chain.length === 0 ? "its ancestors cannot be seen" : whyUnseen(),
  };
}

/** How often the walk is begun anew where a parent ended between the look at its child and the look at it. */
const MAX_WALKS = 5;

function walkProc(pid: number): SeenProcess[] {
  for (let walk = 1; ; walk++) {
    const chain = walkOnce(pid);
    const parent = chain.at(-1)?.parent ?? 0;
    if (parent === 0 || chain.length === MAX_ANCESTORS || walk === MAX_WALKS) return chain;
  }
}

function walkOnce(pid: number): SeenProcess[] {
  const chain: SeenProcess[] = [];
  for (let at = pid; at > 0 && chain.length < MAX_ANCESTORS; ) {
    const seen = readProcess(at);
    if (seen === null) break;
    chain.push(seen);
    at = seen.parent;
  }
  return chain;
}

/** Null for a process that has ended, or may not be seen. */
function readProcess(pid: number): SeenProcess | null {
  const stat = readProcStat(pid);
  if (stat === null || !stat.isLiving) return null;
  const words = readProcFile(pid, "cmdline")?.toString("utf8").split("\0") ?? [];
  return {
    pid,
    parent: stat.parent,
    session: stat.session,
    hasTerminal: stat.terminal !== 0,
    startedAt: Number(stat.startedAt),
    words: words.slice(0, words.at(-1) === "" ? -1 : words.length),
    program: readLink(`/proc/${pid}/exe`),
  };
}

const readLink = (path: string): string | null => lookAtProcess(() => readlinkSync(path));

const readEnvironment = (pid: number): string[] =>
  (readProcFile(pid, "environ")?.toString("utf8") ?? "")
    .split("\0")
    .filter((entry) => entry !== "");

/** Every process of this user that runs in the same control group: what a daemon keeps that left its session. */
export function listGroupProcesses(): SeenProcess[] {
  if (!hasProc) return [];
  const group = readControlGroup("self");
  const user = process.getuid?.();
  return listProcesses().flatMap((pid) => {
    if (pid === process.pid || readControlGroup(pid) !== group || ownerOf(pid) !== user) return [];
    const seen = readProcess(pid);
    return seen === null ? [] : [seen];
  });
}

/** The terminals that a process has open: a multiplexer has those of its clients. */
export function listTerminals(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const names = lookAtProcess(() => readdirSync(folder)) ?? [];
  const targets = names.map((name) => readLink(`${folder}/${name}`) ?? "");
  return targets.filter((target) => /^\/dev\/(?:pts\/|tty)\d/.test(target));
}

/** The kind of device that pseudo terminals are. */
const PSEUDO_TERMINAL = 136;

/**
 * Who has the other end of the terminal that controls a process, and so types what is read there, each with those who started
 * it; of those `above` it, where one of them does, else of all. None where it is another user's, or no pseudo terminal.
 */
export function listHolders(pid: number, above: readonly number[]): SeenProcess[][] {
  const device = hasProc ? (readProcStat(pid)?.terminal ?? 0) : 0;
  if (((device >> 8) & 0xfff) !== PSEUDO_TERMINAL) return [];
  const index = (device & 0xff) | ((device >> 12) & 0xf_ff00);
  const among = (pids: readonly number[]) => pids.filter((one) => holdsTerminal(one, index));
  const holders = among(above);
  return (holders.length > 0 ? holders : among(listProcesses())).map(walkProc);
}

const holdsTerminal = (pid: number, index: number): boolean =>
  lookAtProcess(() =>
    readdirSync(`/proc/${pid}/fd`).some((name) => {
      if (!readLink(`/proc/${pid}/fd/${name}`)?.endsWith("/ptmx")) return false;
      const facts = readFileSync(`/proc/${pid}/fdinfo/${name}`, "utf8");
      return /^tty-index:\s*(\d+)$/m.exec(facts)?.[1] === String(index);
    }),
  ) === true;

const readControlGroup = (pid: number | "self"): string | null =>
  lookAtProcess(() => readFileSync(`/proc/${pid}/cgroup`, "utf8"));

const ownerOf = (pid: number): number | null => lookAtProcess(() => statSync(`/proc/${pid}`).uid);

// The same where there is no /proc (macOS), in one listing.

function listByPs(): Map<number, SeenProcess> {
  const listing = runPs(["-A", "-ww", "-o", "pid=,ppid=,tty=,command="]);
  return new Map(
    listing.split("\n").flatMap((line) => {
      const seen = parsePsProcess(line);
      return seen === null ? [] : [[seen.pid, seen] as const];
    }),
  );
}

/** Nothing where it cannot look: a Linux without `/proc`. */
function runPs(args: readonly string[]): string {
  try {
    return runSystemProgram("ps", args);
  } catch {
    return "";
  }
}

function parsePsProcess(line: string): SeenProcess | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
  if (match === null) return null;
  const words = (match[4] ?? "").split(" ");
  return {
    pid: Number(match[1]),
    parent: Number(match[2]),
    session: null,
    hasTerminal: !/^\?+$/.test(match[3] ?? ""),
    startedAt: 0,
    words,
    program: null,
  };
}

function walkListing(pid: number, listing: ReadonlyMap<number, SeenProcess>): SeenProcess[] {
  const chain: SeenProcess[] = [];
  for (let at = listing.get(pid); at && chain.length < MAX_ANCESTORS; at = listing.get(at.parent))
    chain.push(at);
  return chain;
}
