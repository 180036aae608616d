// One resident per state folder. The file with the address is the lock: it appears whole, by a link, or not at
// all, and whoever is named in it is the resident.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { newId } from "../new-id.ts";
import { isAlive } from "../process/identity.ts";
import { formatAddress, parseAddress, type ResidentAddress } from "./address.ts";

export type Claim =
  | { readonly kind: "claimed" }
  | { readonly kind: "taken"; readonly by: ResidentAddress };

export interface ClaimRequest {
  readonly file: string;
  readonly address: ResidentAddress;
  /** The server key of the resident that asked to be replaced, null where there is none. */
  readonly replaces: string | null;
}

const ATTEMPTS = 20;

export function claimAddress({ file, address, replaces }: ClaimRequest): Claim {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${newId()}`;
  writeFileSync(own, formatAddress(address), { mode: 0o600, flag: "wx" });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(own, file)) return { kind: "claimed" };
      const text = readIfThere(file);
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
  const text = readIfThere(file);
  return text === null ? null : parseAddress(text);
}

/** Another's file is left alone. */
export function releaseAddress(file: string, address: ResidentAddress): void {
  if (readIfThere(file) === formatAddress(address)) rmSync(file, { force: true });
}

export const holdsAddress = (file: string, address: ResidentAddress): boolean =>
  readIfThere(file) === formatAddress(address);

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Another starter may have put its own there in the meantime; then that one is given back. */
function setAside(file: string, dead: string): void {
  const aside = `${file}.${newId()}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== dead) tryLink(aside, file);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
