// A fresh folder for one try of a trial. Nothing in it is shared with the user's own repository.
import { constants, type Dirent, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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
import { errorCode } from "../../config/file-problem.ts";
import type { WorkspaceSource } from "../suite.ts";
import { cloneGit } from "./clone-git.ts";

export interface Workspace {
  /** Everything of this try lies below; removed as a whole. */
  readonly place: string;
  readonly folder: string;
}

export interface WorkspaceRequest {
  readonly source: WorkspaceSource;
  /** The folder of all workspaces. */
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function makeWorkspace(request: WorkspaceRequest): Promise<Workspace> {
  const place = mkdtempSync(join(request.workDir, "trial-"));
  const folder = join(place, "workspace");
  const { source } = request;
  try {
    if (source.kind === "git") await cloneGit(source, folder, request);
    else if (source.kind === "template") await copyTree(source.folder, folder);
    else mkdirSync(folder);
  } catch (error) {
    await removeTree(place);
    throw error;
  }
  return { place, folder };
}

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
  // Not before all of them have ended: whoever clears up must not meet a copy that is still written.
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
    if (errorCode(error) !== "EACCES") throw error;
    await removeTree(to);
    await unlock(from);
    await copyTree(from, to);
  }
}

const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

/** Also what an agent has locked up. */
export async function removeTree(folder: string): Promise<void> {
  try {
    if (holdsFew(folder)) rmSync(folder, REMOVAL);
    else await rm(folder, REMOVAL);
  } catch {
    await unlock(folder);
    await rm(folder, REMOVAL);
  }
}

/** So few are removed sooner than another thread is asked to. */
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

async function unlock(path: string): Promise<void> {
  const { mode } = await lstat(path);
  const kind = mode & constants.S_IFMT;
  if (kind === constants.S_IFREG && (mode & 0o400) === 0) await chmod(path, mode | 0o400);
  if (kind !== constants.S_IFDIR) return;
  if ((mode & 0o700) !== 0o700) await chmod(path, mode | 0o700);
  for (const name of await readdir(path)) await unlock(join(path, name));
}

/** Nobody who keeps to the rules of the file system writes there. */
export async function makeTreeReadOnly(path: string): Promise<void> {
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) return;
  if (stat.isDirectory())
    for (const name of await readdir(path)) await makeTreeReadOnly(join(path, name));
  await chmod(path, stat.mode & 0o555);
}
