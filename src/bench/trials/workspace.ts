// A fresh folder for one try of a trial. Nothing in it is shared with the user's own repository.
import { constants } from "node:fs";
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../process/run-process.ts";
import type { WorkspaceSource } from "../suite.ts";

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
  await mkdir(request.workDir, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(request.workDir, "trial-"));
  const folder = join(place, "workspace");
  const { source } = request;
  try {
    if (source.kind === "git") await cloneInto(folder, source, request);
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

async function cloneInto(
  folder: string,
  { source, branch, commit }: Extract<WorkspaceSource, { kind: "git" }>,
  { env, signal }: WorkspaceRequest,
): Promise<void> {
  const git = async (...args: string[]): Promise<void> => {
    const ending = await runProcess(
      { executable: "git", args, env: { ...env, GIT_TERMINAL_PROMPT: "0" }, cwd: "/" },
      { signal, timeoutMs: 600_000 },
    );
    if (ending.kind === "exited" && ending.exitCode === 0) return;
    const said = Buffer.from(ending.stderr).toString().trim().split("\n").at(-1) ?? ending.kind;
    throw new Error(`\`git ${args[0]}\` failed: ${said}`);
  };
  const chosen = branch === null ? [] : ["--branch", branch];
  await git("clone", "--quiet", "--local", "--no-hardlinks", ...chosen, "--", source, folder);
  if (commit !== null) await git("-C", folder, "checkout", "--quiet", "--detach", commit);
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

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
}
