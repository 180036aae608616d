// A fresh folder for one try of a trial. Nothing in it is shared with the user's own repository.
import { constants } from "node:fs";
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
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
  const place = await mkdtemp(join(request.workDir, "trial-"));
  const folder = join(place, "workspace");
  const { source } = request;
  try {
    if (source.kind === "git") await cloneGit(source, folder, request);
    else if (source.kind === "template") await copyTree(source.folder, folder);
    else await mkdir(folder);
  } catch (error) {
    await removeTree(place);
    throw error;
  }
  return { place, folder };
}

/** Shares blocks with the original where the file system can. */
export const copyTree = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // A socket or a pipe that an agent left has no content to copy.
    filter: async (path) => !(await isSpecial(path)),
  });

async function isSpecial(path: string): Promise<boolean> {
  const stat = await lstat(path);
  return stat.isSocket() || stat.isFIFO() || stat.isCharacterDevice() || stat.isBlockDevice();
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

/** Also what an agent has locked up. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await unlock(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
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
