// What is kept of the projects a person trusted, one folder per root:
//   current.json        which approved state is in force
//   seen.ndjson         the working tree as it was last read, to notice a change by stats alone
//   <tree hash>/        one per approved state: manifest.json and files/, the copy that runs
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./file-problem.ts";
import { pathName } from "./path-name.ts";
import { replaceCache, replaceFile } from "./replace-file.ts";

const HASH = /^[0-9a-f]{64}$/;

/** The folder that keeps everything about one root. */
export const trustFolder = (stateDir: string, root: string): string =>
  join(stateDir, "trust", pathName(root));

/** Mirrors the project's root: `<copy>/.adjutant/…`. */
export const copyFolder = (folder: string, hash: string): string => join(folder, hash, "files");

/** Null also when the copy it points at is gone: what cannot run is not trusted. */
export function readCurrentHash(folder: string): string | null {
  const text = readIfThere(join(folder, "current.json"));
  const hash = text === null ? null : parseHash(text);
  return hash !== null && isApproved(folder, hash) ? hash : null;
}

function parseHash(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("hash" in value)) return null;
    return typeof value.hash === "string" && HASH.test(value.hash) ? value.hash : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const formatCurrent = (hash: string, at: string): string => `${JSON.stringify({ hash, at })}\n`;

export function writeCurrentHash(folder: string, hash: string, at: string): void {
  replaceFile(join(folder, "current.json"), formatCurrent(hash, at));
}

/** To another approved state; where it cannot be noted, the next look comes to the same answer. */
export function switchCurrentHash(folder: string, hash: string, at: string): void {
  replaceCache(join(folder, "current.json"), formatCurrent(hash, at));
}

export const manifestFile = (folder: string, hash: string): string =>
  join(folder, hash, "manifest.json");

/** Every approved state of a root is kept, so going back to one asks nobody. */
export const isApproved = (folder: string, hash: string): boolean =>
  existsSync(manifestFile(folder, hash));

export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}

/** Puts a finished copy in its place; a copy of the same hash is already what this one is. */
export function keepCopy(folder: string, temporary: string, hash: string): void {
  const place = join(folder, hash);
  try {
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!isApproved(folder, hash)) throw error;
  }
}

/** Forgets a root and every state of it; false when there was nothing to forget. */
export function forgetRoot(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const gone = `${folder}.${process.pid}.gone`;
  renameSync(folder, gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}

export const readSeen = (folder: string): string | null => readIfThere(join(folder, "seen.ndjson"));

export const writeSeen = (folder: string, text: string): void =>
  replaceCache(join(folder, "seen.ndjson"), text);
