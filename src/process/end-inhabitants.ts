// Ending what lives in a folder. A process that took another session and emptied its environment carries
// no run id any more, but it still works somewhere: its directory, its open files or its words say where.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { CLOCK_TOLERANCE_S, type ProcStat, parseProcStat } from "./proc-stat.ts";
import { carriesRunId } from "./run-id.ts";

export interface Residence {
  /** Absolute, without links in it. */
  readonly folder: string;
  /** The system's uptime in seconds; who is older is somebody else's. */
  readonly since: number;
  /**
   * A folder around it that others work in as well. There only who belongs to nobody is ended, which is
   * neither a descendant of this process nor a carrier of this run id.
   */
  readonly around?: { readonly folder: string; readonly runId: string };
}

const PATIENCE_MS = 1_000;
/** `exec` hides a process's environment for less than this. */
const EXEC_PATIENCE_MS = 15;

/** Answers with those that could not be ended. Without `/proc` nobody can be told, and nobody is. */
export async function endInhabitants(residence: Residence): Promise<number[]> {
  if (!existsSync("/proc/self/stat")) return [];
  const startedAt = performance.now();
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    const elapsed = performance.now() - startedAt;
    const { ours, unclear } = findInhabitants(residence);
    const doomed = [...ours, ...(elapsed > EXEC_PATIENCE_MS ? unclear : [])];
    if (elapsed > PATIENCE_MS || ours.length + unclear.length === 0) return doomed;
    for (const pid of doomed) kill(pid);
    await pause(wait);
  }
}

interface Found {
  readonly ours: readonly number[];
  /** They show no environment: nobody's, or in the middle of `exec`. */
  readonly unclear: readonly number[];
}

function findInhabitants({ folder, since, around }: Residence): Found {
  const seen = readdirSync("/proc").map(Number).filter(Number.isInteger).flatMap(lookAt);
  const parents = new Map(seen.map(({ pid, parent }) => [pid, parent]));
  const strays = seen
    .filter((one) => one.pid !== process.pid && isStray(one, since))
    .map(({ pid }) => pid);
  const ours = strays.filter((pid) => livesIn(pid, folder));
  if (around === undefined) return { ours, unclear: [] };
  const others = strays
    .filter((pid) => !ours.includes(pid) && livesIn(pid, around.folder))
    .filter((pid) => !descendsFromUs(pid, parents));
  const bonds = others.map((pid) => ({ pid, bond: bondOf(pid, around.runId) }));
  const having = (wanted: string) =>
    bonds.filter(({ bond }) => bond === wanted).map(({ pid }) => pid);
  return { ours: [...ours, ...having("nobody's")], unclear: having("unclear") };
}

function livesIn(pid: number, folder: string): boolean {
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  return listPlaces(pid).some(isInside) || mentions(pid, folder);
}

interface Sighted extends ProcStat {
  readonly pid: number;
}

function lookAt(pid: number): Sighted[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const stat = text === null ? null : parseProcStat(text);
  return stat === null ? [] : [{ pid, ...stat }];
}

/** A person who looks around there is left alone. */
const isStray = ({ isLiving, hasTerminal, since }: Sighted, from: number): boolean =>
  isLiving && !hasTerminal && since >= from - CLOCK_TOLERANCE_S;

function descendsFromUs(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let above = parents.get(pid); above !== undefined; above = parents.get(above))
    if (above === process.pid) return true;
  return false;
}

function bondOf(pid: number, runId: string): "nobody's" | "somebody's" | "unclear" {
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`));
  if (environment === null || environment.length === 0) return "unclear";
  return carriesRunId(environment, runId) ? "somebody's" : "nobody's";
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
