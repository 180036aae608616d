// Whole folders: copied, locked up, removed – also what an agent did its best to keep from us.
import { constants, type Dirent, existsSync, readdirSync, rmSync } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../core/process/run.ts";
import { fileErrorCode } from "../../core/project/files.ts";

/**
 * Shares blocks with the original where the file system can. `cp` of Node looks at every path above for
 * every file, which makes it four times as long.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  const { mode } = await stat(from);
  // Open until it is filled: the original may be locked.
  await mkdir(to, { recursive: true, mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true });
  const copies = await Promise.allSettled(
    entries.map((entry) => copyEntry(entry, join(to, entry.name))),
  );
  // Fails only when all of them have ended: whoever clears up must not meet a copy that is still written.
  for (const copy of copies) if (copy.status === "rejected") throw copy.reason;
  await chmod(to, mode);
}

async function copyEntry(entry: Dirent, to: string): Promise<void> {
  const from = join(entry.parentPath, entry.name);
  if (entry.isDirectory()) await copyTree(from, to);
  else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  // A socket or a pipe that an agent left has no content to copy.
  else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** A copy of what an agent left, also of what it locked up. */
export async function copyLockedTree(from: string, to: string): Promise<void> {
  try {
    await copyTree(from, to);
  } catch (error) {
    if (fileErrorCode(error) !== "EACCES") throw error;
    await removeTree(to);
    await runShell('chmod -R u+rwX -- "$1"', from);
    await copyTree(from, to);
  }
}

const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

/** Removes a folder, also one that an agent has locked up or put below a path that is too long for Node. */
export async function removeTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  try {
    if (holdsFew(folder)) rmSync(folder, REMOVAL);
    else await rm(folder, REMOVAL);
  } catch {
    // Locked up, or too deep: what stands in the way of this as well is said below.
    await runShell('chmod -R u+rwX -- "$1"; rm -rf -- "$1"', folder);
    if (existsSync(folder)) throw new Error(`\`${folder}\` cannot be removed`);
  }
}

/** Removing so few entries here takes less time than asking another thread to. */
const FEW = 16;

function holdsFew(folder: string): boolean {
  const folders = [folder];
  let seen = 0;
  for (const one of folders)
    for (const entry of readdirSync(one, { withFileTypes: true })) {
      if (++seen > FEW) return false;
      if (entry.isDirectory()) folders.push(join(one, entry.name));
    }
  return true;
}

/** The system's own tools go down step by step, whatever the length of the path. How it went is looked at after. */
const runShell = (script: string, folder: string) =>
  runProcess({
    executable: "/bin/sh",
    args: ["-c", script, "sh", folder],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
  });

/** Nobody who keeps to the rules of the file system writes there. */
export async function makeTreeReadOnly(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory())
    for (const name of await readdir(path)) await makeTreeReadOnly(join(path, name));
  await chmod(path, found.mode & 0o555);
}
