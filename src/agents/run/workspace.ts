// The folders an agent works with: paths inside its workspace, whether the workspace changed, and a
// temporary folder for one run.

import { createHash } from "node:crypto";
import { mkdtempSync, rmdirSync } from "node:fs";
import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileErrorCode } from "../../core/project/files.ts";

/**
 * Where a path of the workspace really is, all links followed; null where that is outside. The file
 * and its folders need not be there yet, and nothing is made.
 */
export async function resolveInWorkspace(workspace: string, path: string): Promise<string | null> {
  const root = await realpath(workspace);
  const real = await followLinks(resolve(root, path));
  return real === null || leadsOut(relative(root, real)) ? null : real;
}

async function followLinks(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (fileErrorCode(error) !== "ENOENT") throw error;
  }
  // Who writes to a link that leads nowhere yet makes a file at its far end.
  if (await isThere(path)) return null;
  const folder = await followLinks(dirname(path));
  return folder === null ? null : join(folder, basename(path));
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const leadsOut = (path: string): boolean =>
  path === "" || /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path);

const MAX_ENTRIES = 100_000;

/** A mark that changes when any file below the folder does; null where it is too large to tell. */
export async function markWorkspace(folder: string): Promise<string | null> {
  const hash = createHash("sha256");
  const open = [folder];
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // A folder that is gone or may not be read counts by its own mark alone.
    const names = await readdir(next).catch(() => []);
    for (const name of names.sort()) {
      if (++entries > MAX_ENTRIES) return null;
      const path = join(next, name);
      const seen = await lstat(path, { bigint: true }).catch(() => null);
      hash.update(`${path}\0${seen?.mode}\0${seen?.size}\0${seen?.mtimeNs}\0${seen?.ino}\n`);
      if (seen?.isDirectory() && name !== ".git") open.push(path);
    }
  }
  return hash.digest("hex");
}

/** A temporary folder for one run: agents leave megabytes behind in theirs, run after run. */
export async function withTempFolder<Result>(
  parent: string | undefined,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  // Short, because agents put sockets there and a socket's path has about a hundred characters.
  const folder = mkdtempSync(join(parent || tmpdir(), "adj-"));
  try {
    return await use(folder);
  } finally {
    await removeFolder(folder);
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    // It is mostly empty, and this takes no more than that.
    rmdirSync(folder);
  } catch {
    // Not empty; whatever else is wrong with it is wrong for this, too.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
