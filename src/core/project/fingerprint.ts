import { lstatSync, type Stats, statSync } from "node:fs";
import { statOf } from "./files.ts";

/** A file as its stat shows it; equal text means that nobody wrote to it since. */
export function fingerprintOfStat({
  ino,
  mtimeMs,
  ctimeMs,
  size,
}: Pick<Stats, "ino" | "mtimeMs" | "ctimeMs" | "size">): string {
  // The change time cannot be set back, so it sees an edit that restored the other one.
  return `${ino}:${mtimeMs}:${size}${ctimeMs === mtimeMs ? "" : `:${ctimeMs}`}`;
}

/** Of what a path leads to. */
export function fingerprint(path: string): string | null {
  const stat = statOf(path, statSync);
  return stat === null ? null : fingerprintOfStat(stat);
}

/** Of the file that a path leads to; a folder is none. */
export function fileFingerprint(path: string): string | null {
  const stat = statOf(path, statSync);
  return stat?.isFile() === true ? fingerprintOfStat(stat) : null;
}

/** Of the path itself, be it a link. */
export function linkFingerprint(path: string): string | null {
  const stat = statOf(path, lstatSync);
  return stat === null ? null : fingerprintOfStat(stat);
}

// A folder may get another file within the same tick of the clock that its stat already shows.
const TICK_MS = 50;

/** Of a folder about to be read: null when it changed so recently that its stat proves nothing. */
export function folderFingerprint(stat: Stats, now: number): string | null {
  return now - stat.mtimeMs > TICK_MS ? fingerprintOfStat(stat) : null;
}

export interface TreeFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly kind: "file" | "link";
  readonly isExecutable: boolean;
  /** Of the content; for a link, of its target. */
  readonly sha256: string;
}

/** Most starts hash nothing, and `node:crypto` is the most expensive module of all to load. */
export const sha256 = (content: string | Uint8Array): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");

/** One hash for what a person approves; the same for the same files, whatever order they come in. */
export function hashTree(files: readonly TreeFile[]): string {
  const lines = sortFiles(files).map((file) =>
    JSON.stringify([file.path, file.isExecutable, file.kind, file.sha256]),
  );
  return sha256(lines.join("\n"));
}

export const sortFiles = <File extends TreeFile>(files: readonly File[]): File[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
