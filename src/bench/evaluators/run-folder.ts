// The folder a program grades in: a copy of what the agent left, with the suite's own files in their places.
import { chmod, cp, lstat, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../trials/tree-files.ts";
import { matchesPath } from "./match-path.ts";
import { listFiles } from "./tree-changes.ts";

/** Files that match are as they were before the agent, those it added are gone. */
export async function putBack(
  globs: readonly string[],
  { folder, base }: { readonly folder: string; readonly base: string },
): Promise<void> {
  const isMeant = (path: string) => globs.some((glob) => matchesPath(path, glob));
  for (const path of (await listFiles(folder)).filter(isMeant)) await clearWay(folder, path);
  for (const path of (await listFiles(base)).filter(isMeant))
    await copyFile(join(base, path), await clearWay(folder, path));
}

export async function layOver(files: string, folder: string): Promise<void> {
  for (const path of await listFiles(files))
    await copyFile(join(files, path), await clearWay(folder, path));
}

const copyFile = (from: string, to: string): Promise<void> =>
  cp(from, to, { verbatimSymlinks: true });

/**
 * Where a file can be written and nothing is yet. What an agent put in its way goes: a link in place of a folder
 * would lead out of the copy, a folder without rights would make the grading fail.
 */
export async function clearWay(folder: string, path: string): Promise<string> {
  const parts = dirname(path).split("/");
  for (const count of parts.keys()) await openFolder(join(folder, ...parts.slice(0, count + 1)));
  const target = join(folder, path);
  if ((await lookAt(target)) !== null) await removeTree(target);
  return target;
}

async function openFolder(path: string): Promise<void> {
  const stats = await lookAt(path);
  if (stats?.isDirectory()) {
    if ((stats.mode & 0o700) !== 0o700) await chmod(path, stats.mode | 0o700);
    return;
  }
  await rm(path, { force: true });
  await mkdir(path);
}

const lookAt = (path: string) => lstat(path).catch(() => null);

const LARGEST_REPORT = 10 * 1024 * 1024;

/** Null for what is no file of a bearable size: a link, a pipe or a device may never end. */
export async function readReport(path: string): Promise<string | null> {
  const stats = await lookAt(path);
  if (stats === null || !stats.isFile() || stats.size > LARGEST_REPORT) return null;
  return readFile(path, "utf8");
}
