import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

/**
 * Where a path of the workspace really is, all links followed; null where that is outside. The file
 * and its folders need not be there yet, and nothing is made.
 */
export async function placeInWorkspace(workspace: string, path: string): Promise<string | null> {
  const root = await realpath(workspace);
  const real = await followLinks(resolve(root, path));
  return real === null || leadsOut(relative(root, real)) ? null : real;
}

async function followLinks(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
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

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const leadsOut = (path: string): boolean =>
  path === "" || /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path);
