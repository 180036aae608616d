// Where the resident is reached: one line that a shell can split, in a file only the user can read.
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../core/command/new-id.ts";
import { isAlive, type ProcessIdentity } from "../../core/process/identity.ts";
import { fileErrorCode, makeFolder, readTextIfExists } from "../../core/project/files.ts";

export interface ResidentAddress {
  readonly port: number;
  readonly version: string;
  /** What a client must say. */
  readonly clientKey: string;
  /** What every answer begins with. */
  readonly serverKey: string;
  readonly owner: ProcessIdentity;
}

const FORMAT = "adj1";

/** Both keys have this many characters; the client cuts answers by it. */
export const KEY_LENGTH = 32;

export const addressFile = (stateDir: string): string => join(stateDir, "resident");

export function formatAddress(address: ResidentAddress): string {
  const { port, version, clientKey, serverKey, owner } = address;
  const words = [FORMAT, port, owner.pid, version, clientKey, serverKey];
  const identity = [owner.startedAt, owner.host].map(encodeURIComponent);
  return `${[...words, ...identity].join(" ")}\n`;
}

/** Null for anything that is not a whole address. */
export function parseAddress(text: string): ResidentAddress | null {
  const words = text.trimEnd().split(" ");
  const [format, port, pid, version, clientKey, serverKey, startedAt, host] = words;
  if (format !== FORMAT || !version || !startedAt || !host) return null;
  if (clientKey?.length !== KEY_LENGTH || serverKey?.length !== KEY_LENGTH) return null;
  const numbers = [Number(port), Number(pid)] as const;
  if (!numbers.every((number) => Number.isInteger(number) && number > 0)) return null;
  const owner = {
    pid: numbers[1],
    startedAt: decodeURIComponent(startedAt),
    host: decodeURIComponent(host),
  };
  return { port: numbers[0], version, clientKey, serverKey, owner };
}

// One resident per state folder. The file with the address is the lock: it appears whole, by a link, or not at
// all, and whoever is named in it is the resident.

type AddressClaim =
  | { readonly kind: "claimed" }
  | { readonly kind: "taken"; readonly by: ResidentAddress };

interface ClaimRequest {
  readonly file: string;
  readonly address: ResidentAddress;
  /** The server key of the resident that asked to be replaced, null where there is none. */
  readonly replaces: string | null;
}

const ATTEMPTS = 20;

function claimAddress({ file, address, replaces }: ClaimRequest): AddressClaim {
  makeFolder(dirname(file), 0o700);
  const own = `${file}.${newId()}`;
  writeFileSync(own, formatAddress(address), { mode: 0o600, flag: "wx" });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(own, file)) return { kind: "claimed" };
      const text = readTextIfExists(file);
      const holder = text === null ? null : parseAddress(text);
      if (holder !== null && holder.serverKey === replaces) {
        renameSync(own, file);
        return { kind: "claimed" };
      }
      // One that cannot be seen from here is of another boot or another machine: it is no use here, and
      // where it still lives it sees that it was replaced.
      if (holder !== null && isAlive(holder.owner) === true) return { kind: "taken", by: holder };
      if (text !== null) setAside(file, text);
    }
    throw new Error(`${file} appears and vanishes`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** What stands in the file, null where there is none or nothing that can be read as an address. */
export function readAddress(file: string): ResidentAddress | null {
  const text = readTextIfExists(file);
  return text === null ? null : parseAddress(text);
}

/** Another's file is left alone. */
export function releaseAddress(file: string, address: ResidentAddress): void {
  if (readTextIfExists(file) === formatAddress(address)) rmSync(file, { force: true });
}

export const holdsAddress = (file: string, address: ResidentAddress): boolean =>
  readTextIfExists(file) === formatAddress(address);

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (fileErrorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Another starter may have put its own there in the meantime; then that one is given back. */
function setAside(file: string, dead: string): void {
  const aside = `${file}.${newId()}`;
  try {
    renameSync(file, aside);
    if (readTextIfExists(aside) !== dead) tryLink(aside, file);
  } catch (error) {
    if (fileErrorCode(error) !== "ENOENT") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

// Claiming the address, also from a resident of another version: that one is asked to retire first.

const RETIREMENT_LIMIT_MS = 5_000;
const LOOK_MS = 20;

export async function takeAddress(request: ClaimRequest): Promise<AddressClaim> {
  const claim = claimAddress(request);
  if (claim.kind === "claimed" || claim.by.version === request.address.version) return claim;
  await retireResident(request.file, claim.by.serverKey);
  return claimAddress(request);
}

/** Asks the resident in the file to retire; true when its address is gone. What it answers, it finishes. */
export async function retireResident(file: string, serverKey: string): Promise<boolean> {
  const isNamed = () => readAddress(file)?.serverKey === serverKey;
  const pid = readAddress(file)?.owner.pid;
  if (pid === undefined || !isNamed()) return true;
  signal(pid);
  const until = performance.now() + RETIREMENT_LIMIT_MS;
  const { setTimeout: pause } = await import("node:timers/promises");
  while (isNamed() && performance.now() < until) await pause(LOOK_MS);
  return !isNamed();
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // Gone in the meantime is what was wanted.
    if (fileErrorCode(error) !== "ESRCH") throw error;
  }
}
