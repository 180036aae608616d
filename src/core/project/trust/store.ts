// What is kept of the projects a person trusted, one folder per root:
//   current.json        which approved state is in force
//   newest.json         which one a person approved last: for hooks no other counts
//   seen.ndjson         the working tree as it was last read, to notice a change by stats alone
//   <tree hash>/        one per approved state: manifest.json, pins.json and files/, the copy that runs

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfExists, replaceCache, replaceFile } from "../files.ts";
import { parseJson } from "../json-value.ts";
import { pathToFileName } from "../paths.ts";
import type { Pins } from "./pins.ts";

const HASH_PATTERN = /^[0-9a-f]{64}$/;

/** The folder that keeps everything about one root. */
export const trustFolder = (stateDir: string, root: string): string =>
  join(stateDir, "trust", pathToFileName(root));

/** Mirrors the project's root: `<copy>/.adjutant/…`. */
export const copyFolder = (folder: string, hash: string): string => join(folder, hash, "files");

/** Where a project lies, and the copy of it that runs. */
export interface CopiedProject {
  /** As its owner knows it. */
  readonly root: string;
  /** Mirrors it. */
  readonly copyDir: string;
}

/** A text that may name files of the copy, with those that the person wrote in their place. */
export const showOriginals = (text: string, { root, copyDir }: CopiedProject): string =>
  text.replaceAll(copyDir, root);

/** Null also when the copy it points at is gone: what cannot run is not trusted. */
export const readCurrentHash = (folder: string): string | null => readHash(folder, "current.json");

/** What was approved last; a folder that an older version wrote has only what is in force. */
export const readNewestHash = (folder: string): string | null =>
  readHash(folder, "newest.json") ?? readCurrentHash(folder);

function readHash(folder: string, file: "current.json" | "newest.json"): string | null {
  const text = readTextIfExists(join(folder, file));
  const hash = text === null ? null : parseHash(text);
  return hash !== null && isApproved(folder, hash) ? hash : null;
}

function parseHash(text: string): string | null {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("hash" in value)) return null;
  return typeof value.hash === "string" && HASH_PATTERN.test(value.hash) ? value.hash : null;
}

const formatCurrent = (hash: string, at: string): string => `${JSON.stringify({ hash, at })}\n`;

/** A person approved it just now. */
export function writeCurrentHash(folder: string, hash: string, at: string): void {
  replaceFile(join(folder, "newest.json"), formatCurrent(hash, at));
  replaceFile(join(folder, "current.json"), formatCurrent(hash, at));
}

/** To another approved state; where it cannot be noted, the next look comes to the same answer. */
export function switchCurrentHash(folder: string, hash: string, at: string): void {
  replaceCache(join(folder, "current.json"), formatCurrent(hash, at));
}

export const manifestFile = (folder: string, hash: string): string =>
  join(folder, hash, "manifest.json");

/** The sha256 of every file of an approved state; null where that cannot be told. */
export function readApprovedHashes(folder: string, hash: string): Map<string, string> | null {
  const text = readTextIfExists(manifestFile(folder, hash));
  if (text === null) return null;
  const { files }: { files: readonly { path: string; sha256: string }[] } = JSON.parse(text);
  return new Map(files.map(({ path, sha256 }) => [path, sha256]));
}

export const pinsFile = (copyDir: string): string => join(dirname(copyDir), "pins.json");

/** Null for a state that a version approved which knew of no pins: it covered less. */
export function readPins(copyDir: string): Pins | null {
  const text = readTextIfExists(pinsFile(copyDir));
  // We wrote it ourselves, in the folder that the copy itself is trusted in.
  const value: Pins | null = text === null ? null : JSON.parse(text);
  return value;
}

/** Every approved state of a root is kept, so going back to one asks nobody. */
export const isApproved = (folder: string, hash: string): boolean =>
  existsSync(manifestFile(folder, hash));

/** Puts a finished copy in its place; a copy of the same hash is already what this one is. */
export function storeCopy(folder: string, temporary: string, hash: string): void {
  const target = join(folder, hash);
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (!isApproved(folder, hash)) {
      rmSync(temporary, { recursive: true, force: true });
      throw error;
    }
    // Only what was found about it may be newer: an older version looked for less.
    const pins = readTextIfExists(pinsFile(join(temporary, "files")));
    if (pins !== null) replaceFile(pinsFile(copyFolder(folder, hash)), pins);
    rmSync(temporary, { recursive: true, force: true });
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

export const readSnapshot = (folder: string): string | null =>
  readTextIfExists(join(folder, "seen.ndjson"));

export const writeSnapshot = (folder: string, text: string): void =>
  replaceCache(join(folder, "seen.ndjson"), text);
