// Ending what lives in a folder. A process that took another session and emptied its environment carries
// no run id any more, but it still works somewhere: its directory, its open files or its words say where.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { carriesRunId } from "./run-id.ts";

export interface Residence {
  /** Absolute, without links in it. */
  readonly folder: string;
  /** The system's uptime in seconds; who is older is somebody else's. */
  readonly since: number;
  /**
   * In a folder that others work in as well: only who belongs to nobody there, which is neither a
   * descendant of this process nor a carrier of this run id.
   */
  readonly sharedBy?: string;
}

const PATIENCE_MS = 1_000;
const TICKS_PER_SECOND = 100;
const CLOCK_TOLERANCE_S = 0.05;

/** Answers with those that could not be ended. Without `/proc` nobody can be told, and nobody is. */
export async function endInhabitants(residence: Residence): Promise<number[]> {
  if (!existsSync("/proc/self/stat")) return [];
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    const found = findInhabitants(residence);
    if (found.length === 0 || performance.now() > giveUpAt) return found;
    for (const pid of found) kill(pid);
    await pause(wait);
  }
}

function findInhabitants({ folder, since, sharedBy }: Residence): number[] {
  const seen = readdirSync("/proc").map(Number).filter(Number.isInteger).flatMap(lookAt);
  const parents = new Map(seen.map(({ pid, parent }) => [pid, parent]));
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  return seen
    .filter((one) => isStray(one, since))
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid)
    .filter((pid) => listPlaces(pid).some(isInside) || mentions(pid, folder))
    .filter((pid) => sharedBy === undefined || isNobodys(pid, parents, sharedBy));
}

interface Sighted {
  readonly pid: number;
  readonly parent: number;
  readonly isLiving: boolean;
  readonly hasTerminal: boolean;
  readonly since: number;
}

function lookAt(pid: number): Sighted[] {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === null) return [];
  // The name before it stands in brackets and may hold anything, brackets and spaces included.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [
    {
      pid,
      parent: Number(fields[1]),
      isLiving: !/^[ZX]/.test(fields[0] ?? "Z"),
      hasTerminal: fields[4] !== "0",
      since: Number(fields[19]) / TICKS_PER_SECOND,
    },
  ];
}

/** A person who looks around there is left alone. */
const isStray = ({ isLiving, hasTerminal, since }: Sighted, from: number): boolean =>
  isLiving && !hasTerminal && since >= from - CLOCK_TOLERANCE_S;

function isNobodys(pid: number, parents: ReadonlyMap<number, number>, runId: string): boolean {
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`));
  if (environment === null || carriesRunId(environment, runId)) return false;
  for (let above = parents.get(pid); above !== undefined; above = parents.get(above))
    if (above === process.pid) return false;
  return true;
}

function listPlaces(pid: number): string[] {
  const links = ["cwd", "exe", "root"].map((name) => `/proc/${pid}/${name}`);
  const open = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return [...links, ...open.map((name) => `/proc/${pid}/fd/${name}`)].flatMap(
    (link) => attempt(() => readlinkSync(link)) ?? [],
  );
}

const mentions = (pid: number, folder: string): boolean =>
  ["cmdline", "environ"].some(
    (name) => attempt(() => readFileSync(`/proc/${pid}/${name}`))?.includes(folder) === true,
  );

/** Null for a process that has ended meanwhile, and for one of another user. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
