// Starting a resident in the background: from the command line, from a cold hook call, as a successor.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../core/process/identity.ts";
import { fileErrorCode } from "../../core/project/files.ts";
import { addressFile, type ResidentAddress, readAddress } from "./address.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface ResidentStart {
  readonly stateDir: string;
  readonly version: string;
  /** The words that start this very program again. */
  readonly entry: readonly string[];
  readonly env: Environment;
}

/** Who is about to start one leaves this, so that ten calls at once do not start ten. */
export const startMarker = (stateDir: string): string => join(stateDir, "resident.starting");
const MARKER_MS = 3_000;

/** Machines that build things get none, nor who does not want one. */
export function wantsResident({ ADJ_RESIDENT, CI }: Environment): boolean {
  return ADJ_RESIDENT !== "off" && (!CI || CI === "false" || CI === "0");
}

interface ResidentState {
  readonly isWanted: boolean;
  readonly address: Pick<ResidentAddress, "version"> | null;
  readonly isOwnerAlive: boolean;
  /** Since somebody was last about to start one, null where nobody is. */
  readonly startingForMs: number | null;
}

export function decideStart(state: ResidentState, version: string): boolean {
  const { isWanted, address, isOwnerAlive, startingForMs } = state;
  if (!isWanted || (startingForMs !== null && startingForMs < MARKER_MS)) return false;
  return address === null || !isOwnerAlive || address.version !== version;
}

/** For a cold call, after its answer is out: leaves a resident running where there is none. */
export async function offerResident(start: ResidentStart): Promise<boolean> {
  try {
    if (!decideStart(readResidentState(start), start.version)) return false;
    writeFileSync(startMarker(start.stateDir), "", { mode: 0o600 });
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    // A folder that cannot be read and written can have no resident either.
    return false;
  }
  await startResident(start, null);
  return true;
}

function readResidentState({ stateDir, env }: ResidentStart): ResidentState {
  const address = readAddress(addressFile(stateDir));
  return {
    isWanted: wantsResident(env),
    address,
    isOwnerAlive: address !== null && isAlive(address.owner) === true,
    startingForMs: ageOf(startMarker(stateDir)),
  };
}

function ageOf(file: string): number | null {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

export const REPLACES_VARIABLE = "ADJ_RESIDENT_REPLACES";
export const IDLE_VARIABLE = "ADJ_RESIDENT_IDLE";
const OWN_VARIABLES = ["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", IDLE_VARIABLE];

/** By itself Node gives new objects up to 48 MB before it looks which are still used; calls need next to none. */
const SMALL_HEAP = "--max-semi-space-size=2";

export async function startResident(start: ResidentStart, replaces: string | null): Promise<void> {
  const [executable = process.execPath, ...words] = start.entry;
  const { startDetached } = await import("../../core/process/start-detached.ts");
  const own = replaces === null ? {} : { [REPLACES_VARIABLE]: replaces };
  startDetached({
    executable,
    args: [SMALL_HEAP, ...words, "resident", "serve"],
    // Not the folder of whoever came first: it may be removed or unmounted one day.
    cwd: "/",
    env: { ...(await residentEnvironment(start.env)), ...own },
  });
}

/** It serves all sessions of its user, so it keeps nothing of the one in which it was started. */
async function residentEnvironment(env: Environment): Promise<Record<string, string>> {
  const { childEnvironment } = await import("../../core/process/environment.ts");
  const base = childEnvironment({ source: env, declared: OWN_VARIABLES, inheritEnv: false });
  const isOwn = (name: string) => !name.startsWith("ADJ_") || OWN_VARIABLES.includes(name);
  return Object.fromEntries(Object.entries(base).filter(([name]) => isOwn(name)));
}
