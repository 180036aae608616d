import { lstatSync, type Stats, statSync } from "node:fs";
import { errorCode } from "./file-problem.ts";

/** A file as its stat shows it; equal text means that nobody wrote to it since. */
export function fingerprintOf({
  ino,
  mtimeMs,
  ctimeMs,
  size,
}: Pick<Stats, "ino" | "mtimeMs" | "ctimeMs" | "size">): string {
  // The change time cannot be set back, so it sees an edit that restored the other one.
  return `${ino}:${mtimeMs}:${size}${ctimeMs === mtimeMs ? "" : `:${ctimeMs}`}`;
}

const OUT_OF_REACH = new Set(["EACCES", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"]);

/** Null where there is nothing, or nothing that may be looked at. */
export function statOf(path: string, look: typeof statSync | typeof lstatSync): Stats | null {
  try {
    return look(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (OUT_OF_REACH.has(errorCode(error) ?? "")) return null;
    throw error;
  }
}

/** Of what a path leads to. */
export function fingerprint(path: string): string | null {
  const stat = statOf(path, statSync);
  return stat === null ? null : fingerprintOf(stat);
}

/** Of the path itself, be it a link. */
export function linkFingerprint(path: string): string | null {
  const stat = statOf(path, lstatSync);
  return stat === null ? null : fingerprintOf(stat);
}

// A folder may get another file within the same tick of the clock that its stat already shows.
const TICK_MS = 50;

/** Of a folder about to be read: null when it changed so recently that its stat proves nothing. */
export function folderFingerprint(stat: Stats, now: number): string | null {
  return now - stat.mtimeMs > TICK_MS ? fingerprintOf(stat) : null;
}
