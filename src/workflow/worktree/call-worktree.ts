// A git worktree of a call: made beside the project, taken up again where an earlier start left one, removed when nothing
// came of it.
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { CallWorktree } from "../journal/journal.ts";
import { askGit, changeByGit, findTop, type GitContext, refuseIsolation } from "./repository.ts";

export interface WorktreeRequest extends GitContext {
  readonly workflowRunId: string;
  readonly number: number;
  /** Left by an earlier start. */
  readonly kept: CallWorktree | null;
}

export interface OpenedWorktree {
  readonly worktree: CallWorktree;
  /** The folder in it that stands for the run's own. */
  readonly cwd: string;
  /** What it starts from, where that is not all that the person sees. */
  readonly notice: string | null;
}

/** A fault where there is no repository, or no commit to start from. */
export async function openWorktree(request: WorktreeRequest): Promise<OpenedWorktree> {
  const top = await findTop(request);
  const { kept } = request;
  if (kept !== null && existsSync(kept.path))
    return { worktree: kept, cwd: folderIn(kept.path, top, request.cwd), notice: null };
  const place = { ...request, cwd: top };
  const head = await askGit(place, "rev-parse", "--verify", "HEAD^{commit}");
  if (!head.isOk)
    throw refuseIsolation(`the repository \`${top}\` has no commit yet`, "commit something first");
  const base = head.text;
  const path = pathOf(request);
  const branch = branchOf(request);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await changeByGit(place, "worktree", "prune");
  // A branch that an earlier start left without its folder has what was done there.
  const old = await askGit(place, "rev-parse", "--verify", `refs/heads/${branch}`);
  const words = old.isOk ? [path, branch] : ["-b", branch, path, base];
  const added = await changeByGit(place, "worktree", "add", "--quiet", ...words);
  if (!added.isOk) throw refuseIsolation(added.problem, "`git worktree list` shows what there is");
  return {
    worktree: { path, branch, base: kept?.base ?? base },
    cwd: folderIn(path, top, request.cwd),
    notice: await describeStart(place, base),
  };
}

/** Where agents may write, never in our state. */
function pathOf({ workflowRunId, number, env }: WorktreeRequest): string {
  const given = env.XDG_CACHE_HOME;
  const cache =
    given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), ".cache");
  return join(cache, "adjutant", "worktrees", workflowRunId, String(number));
}

const branchOf = ({ workflowRunId, number }: WorktreeRequest): string =>
  `adjutant/${workflowRunId}/${number}`;

function folderIn(path: string, top: string, cwd: string): string {
  const folder = join(path, relative(top, cwd));
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function describeStart(place: GitContext, base: string): Promise<string | null> {
  const { text } = await askGit(place, "status", "--porcelain");
  const count = text === "" ? 0 : text.split("\n").length;
  if (count === 0) return null;
  const files = count === 1 ? "1 changed file is" : `${count} changed files are`;
  return `the worktree starts from commit ${base.slice(0, 10)}; ${files} not in it`;
}

/** No edits and no commits of its own. */
export async function isUnchanged(
  { path, branch, base }: CallWorktree,
  place: GitContext,
): Promise<boolean> {
  const inside = { ...place, cwd: path };
  const [head, tip, status] = [
    await askGit(inside, "rev-parse", "HEAD"),
    await askGit(inside, "rev-parse", `refs/heads/${branch}`),
    await askGit(inside, "status", "--porcelain"),
  ];
  return head.text === base && tip.text === base && status.isOk && status.text === "";
}

/** True where it was unchanged and is gone now; `place` is the project's. */
export async function removeUnchanged(worktree: CallWorktree, place: GitContext): Promise<boolean> {
  if (existsSync(worktree.path) && !(await isUnchanged(worktree, place))) return false;
  const top = await findTop(place);
  const inTop = { ...place, cwd: top };
  const tip = await askGit(inTop, "rev-parse", "--verify", `refs/heads/${worktree.branch}`);
  // The folder is gone, but commits are on the branch.
  if (tip.isOk && tip.text !== worktree.base) return false;
  await changeByGit(inTop, "worktree", "remove", "--force", worktree.path);
  await changeByGit(inTop, "worktree", "prune");
  if (tip.isOk) await changeByGit(inTop, "branch", "-D", worktree.branch);
  return true;
}
