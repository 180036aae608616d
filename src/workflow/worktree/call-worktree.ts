// A git worktree of a call: made beside the project, taken up again where an earlier start left one, removed when nothing
// came of it.

import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type Fault, fault } from "../../core/command/fault.ts";
import { quoteNames } from "../../core/command/names.ts";
import type { CallWorktree } from "../journal/journal.ts";
import { askGit, changeByGit, findTop, type GitContext, refuseIsolation } from "./repository.ts";

interface WorktreeRequest extends GitContext {
  readonly workflowRunId: string;
  readonly number: number;
  /** Left by an earlier start. */
  readonly kept: CallWorktree | null;
}

interface OpenedWorktree {
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
  const atTop = { ...request, cwd: top };
  const head = await askGit(atTop, "rev-parse", "--verify", "HEAD^{commit}");
  if (!head.isOk)
    throw refuseIsolation(`the repository \`${top}\` has no commit yet`, "commit something first");
  const base = head.text;
  const path = pathOf(request);
  const branch = branchOf(request);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await changeByGit(atTop, "worktree", "prune");
  // A branch that an earlier start left without its folder has what was done there.
  const old = await askGit(atTop, "rev-parse", "--verify", `refs/heads/${branch}`);
  const words = old.isOk ? [path, branch] : ["-b", branch, path, base];
  const added = await changeByGit(atTop, "worktree", "add", "--quiet", ...words);
  if (!added.isOk) throw refuseIsolation(added.problem, "`git worktree list` shows what there is");
  return {
    worktree: { path, branch, base: kept?.base ?? base },
    cwd: folderIn(path, top, request.cwd),
    notice: await describeStart(atTop, base),
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

async function describeStart(context: GitContext, base: string): Promise<string | null> {
  const { text } = await askGit(context, "status", "--porcelain");
  const count = text === "" ? 0 : text.split("\n").length;
  if (count === 0) return null;
  const files = count === 1 ? "1 changed file is" : `${count} changed files are`;
  return `the worktree starts from commit ${base.slice(0, 10)}; ${files} not in it`;
}

/** No edits and no commits of its own. */
export async function isUnchanged(
  { path, branch, base }: CallWorktree,
  context: GitContext,
): Promise<boolean> {
  const inside = { ...context, cwd: path };
  const [head, tip, status] = [
    await askGit(inside, "rev-parse", "HEAD"),
    await askGit(inside, "rev-parse", `refs/heads/${branch}`),
    await askGit(inside, "status", "--porcelain"),
  ];
  return head.text === base && tip.text === base && status.isOk && status.text === "";
}

/** True where it was unchanged and is gone now; `place` is the project's. */
export async function removeUnchanged(
  worktree: CallWorktree,
  context: GitContext,
): Promise<boolean> {
  if (existsSync(worktree.path) && !(await isUnchanged(worktree, context))) return false;
  const top = await findTop(context);
  const inTop = { ...context, cwd: top };
  const tip = await askGit(inTop, "rev-parse", "--verify", `refs/heads/${worktree.branch}`);
  // The folder is gone, but commits are on the branch.
  if (tip.isOk && tip.text !== worktree.base) return false;
  await changeByGit(inTop, "worktree", "remove", "--force", worktree.path);
  await changeByGit(inTop, "worktree", "prune");
  if (tip.isOk) await changeByGit(inTop, "branch", "-D", worktree.branch);
  return true;
}

// What a call did in its worktree comes into the person's own: merged whole, or not at all.

interface AdoptedWorktree {
  /** The commit that the person's branch has now. */
  readonly commit: string;
  readonly diffstat: string;
}

/** A fault with one line where it cannot be merged; nothing is changed then. */
export async function adoptWorktree(
  worktree: CallWorktree,
  { context, message }: { readonly context: GitContext; readonly message: string },
): Promise<AdoptedWorktree> {
  const top = await findTop(context);
  const inTop = { ...context, cwd: top };
  if (existsSync(worktree.path))
    await commitRest(worktree, { ...context, cwd: worktree.path }, message);
  const { branch } = worktree;
  const tip = await askGit(inTop, "rev-parse", "--verify", `refs/heads/${branch}`);
  if (!tip.isOk) throw refuse(`the branch \`${branch}\` is gone`, "nothing of the call is left");
  await refuseConflict(inTop, branch);
  const before = await askGit(inTop, "rev-parse", "HEAD");
  const drivers = await driversOff(inTop);
  const merged = await changeByGit(
    inTop,
    ...[...drivers, "merge", "--no-ff", "--no-gpg-sign", "--no-verify", "--quiet"],
    ...["-m", message, branch],
  );
  if (!merged.isOk) {
    // What git refuses before it begins leaves nothing behind; what it left is taken back.
    await changeByGit(inTop, "merge", "--abort");
    throw refuse(merged.problem || "git did not merge it", `merge \`${branch}\` yourself`);
  }
  const after = await askGit(inTop, "rev-parse", "HEAD");
  const stat = await askGit(inTop, "diff", "--shortstat", before.text, after.text, "--");
  return { commit: after.text, diffstat: stat.text.trim() || "no changes" };
}

/** What the agent edited and did not commit. */
async function commitRest(
  { branch }: CallWorktree,
  inside: GitContext,
  message: string,
): Promise<void> {
  const head = await askGit(inside, "symbolic-ref", "--short", "HEAD");
  if (head.text !== branch)
    throw refuse(`its worktree is no longer on the branch \`${branch}\``, `look at ${inside.cwd}`);
  const status = await askGit(inside, "status", "--porcelain");
  if (status.text === "") return;
  const added = await changeByGit(inside, "add", "--all");
  const words = ["--quiet", "--no-verify", "--no-gpg-sign", "-m", message];
  const kept = added.isOk ? await changeByGit(inside, "commit", ...words) : added;
  if (!kept.isOk) throw refuse(kept.problem, `commit in ${inside.cwd} yourself`);
}

/** Tried on objects alone: no file of the person is touched. */
async function refuseConflict(inTop: GitContext, branch: string): Promise<void> {
  const drivers = await driversOff(inTop);
  const tried = await askGit(
    inTop,
    ...[...drivers, "merge-tree", "--write-tree", "--name-only", "--no-messages", "HEAD", branch],
  );
  if (tried.isOk) return;
  const files = tried.text.split("\n").slice(1).filter(Boolean);
  const problem =
    files.length === 0
      ? tried.problem || "git cannot merge it"
      : `it conflicts with what you have in ${quoteNames(files.slice(0, 5))}`;
  throw refuse(problem, `merge \`${branch}\` yourself; nothing was changed`);
}

/** Drivers of merges are programs that the repository names; where one would be needed, it is a conflict. */
async function driversOff(context: GitContext): Promise<string[]> {
  const listed = await askGit(
    context,
    "config",
    "--name-only",
    "--get-regexp",
    "^merge\\..*\\.driver$",
  );
  const names = listed.text.split("\n").filter(Boolean);
  const odd = names.find((name) => name.includes("="));
  if (odd !== undefined) throw refuse(`\`${odd}\` cannot be switched off`, "merge it yourself");
  return names.flatMap((name) => ["-c", `${name}=false`]);
}

const refuse = (problem: string, hint: string): Fault =>
  fault("InputInvalid", { what: "adopt", problem }, { hint });
