// Ends the processes that use a folder. One that took another session and emptied its environment carries
// no run id any more, but it still works somewhere: its directory, its open files or its words say where.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { carriesRunId } from "./environment.ts";
import {
  CLOCK_TOLERANCE_S,
  listProcesses,
  lookAtProcess,
  type ProcStat,
  readProcFile,
  readProcStat,
} from "./identity.ts";
import { sendSignal } from "./kill-tree.ts";

interface FolderUse {
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
export async function killProcessesUsing(use: FolderUse): Promise<number[]> {
  if (!existsSync("/proc/self/stat")) return [];
  const startedAt = performance.now();
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    const elapsed = performance.now() - startedAt;
    const { ours, unclear } = findUsers(use);
    const doomed = [...ours, ...(elapsed > EXEC_PATIENCE_MS ? unclear : [])];
    if (elapsed > PATIENCE_MS || ours.length + unclear.length === 0) return doomed;
    for (const pid of doomed) sendSignal(pid, "SIGKILL");
    await pause(wait);
  }
}

interface FoundUsers {
  readonly ours: readonly number[];
  /** They show no environment: nobody's, or in the middle of `exec`. */
  readonly unclear: readonly number[];
}

function findUsers({ folder, since, around }: FolderUse): FoundUsers {
  const seen = listProcesses().flatMap((pid) => {
    const stat = readProcStat(pid);
    return stat === null ? [] : [{ pid, ...stat }];
  });
  const parents = new Map(seen.map(({ pid, parent }) => [pid, parent]));
  const strays = seen
    .filter((one) => one.pid !== process.pid && isStray(one, since))
    .map(({ pid }) => pid);
  const ours = strays.filter((pid) => usesFolder(pid, folder));
  if (around === undefined) return { ours, unclear: [] };
  const others = strays
    .filter((pid) => !ours.includes(pid) && usesFolder(pid, around.folder))
    .filter((pid) => !descendsFromUs(pid, parents));
  const owners = Map.groupBy(others, (pid) => findOwner(pid, around.runId));
  return {
    ours: [...ours, ...(owners.get("nobody") ?? [])],
    unclear: owners.get("unclear") ?? [],
  };
}

function usesFolder(pid: number, folder: string): boolean {
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  return listOpenPaths(pid).some(isInside) || mentions(pid, folder);
}

/** A person who looks around there is left alone. */
const isStray = ({ isLiving, terminal, since }: ProcStat, from: number): boolean =>
  isLiving && terminal === 0 && since >= from - CLOCK_TOLERANCE_S;

function descendsFromUs(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let above = parents.get(pid); above !== undefined; above = parents.get(above))
    if (above === process.pid) return true;
  return false;
}

function findOwner(pid: number, runId: string): "nobody" | "somebody" | "unclear" {
  const environment = readProcFile(pid, "environ");
  if (environment === null || environment.length === 0) return "unclear";
  return carriesRunId(environment, runId) ? "somebody" : "nobody";
}

function listOpenPaths(pid: number): string[] {
  const links = ["cwd", "exe", "root"].map((name) => `/proc/${pid}/${name}`);
  const open = lookAtProcess(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return [...links, ...open.map((name) => `/proc/${pid}/fd/${name}`)].flatMap(
    (link) => lookAtProcess(() => readlinkSync(link)) ?? [],
  );
}

function mentions(pid: number, folder: string): boolean {
  const isNamedIn = (name: "cmdline" | "environ") =>
    readProcFile(pid, name)?.includes(folder) === true;
  return isNamedIn("cmdline") || isNamedIn("environ");
}
