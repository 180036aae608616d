// Ending what lives in a folder. A process that took another session and emptied its environment carries
// no run id any more, but it still works somewhere: its directory, its open files or its words say where.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface Residence {
  /** Absolute, without links in it. */
  readonly folder: string;
  /** The system's uptime in seconds; who is older is somebody else's. */
  readonly since: number;
}

const PATIENCE_MS = 1_000;
const TICKS_PER_SECOND = 100;

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

export function findInhabitants({ folder, since }: Residence): number[] {
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isStray(pid, since))
    .filter((pid) => listPlaces(pid).some(isInside) || mentions(pid, folder));
}

/** Younger than the folder and at no terminal: a person who looks around there is left alone. */
function isStray(pid: number, since: number): boolean {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === null) return false;
  const [state = "Z", , , , terminal, , , , , , , , , , , , , , , started] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ");
  if (/^[ZX]/.test(state) || terminal !== "0") return false;
  return Number(started) / TICKS_PER_SECOND >= since - 0.05;
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
    (name) => attempt(() => readFileSync(`/proc/${pid}/${name}`))?.includes(`${folder}/`) === true,
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
