// What a call did in its worktree comes into the person's own: merged whole, or not at all.
import { existsSync } from "node:fs";
import { type Fault, fault } from "../../core/command/fault.ts";
import type { CallWorktree } from "../journal/journal.ts";
import { askGit, changeByGit, findTop, type GitContext } from "./repository.ts";

export interface AdoptedWorktree {
  /** The commit that the person's branch has now. */
  readonly commit: string;
  readonly diffstat: string;
}

/** A fault with one line where it cannot be merged; nothing is changed then. */
export async function adoptWorktree(
  worktree: CallWorktree,
  { place, message }: { readonly place: GitContext; readonly message: string },
): Promise<AdoptedWorktree> {
  const top = await findTop(place);
  const inTop = { ...place, cwd: top };
  if (existsSync(worktree.path))
    await commitRest(worktree, { ...place, cwd: worktree.path }, message);
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
      : `it conflicts with what you have in ${files
          .slice(0, 5)
          .map((file) => `\`${file}\``)
          .join(", ")}`;
  throw refuse(problem, `merge \`${branch}\` yourself; nothing was changed`);
}

/** Drivers of merges are programs that the repository names; where one would be needed, it is a conflict. */
async function driversOff(place: GitContext): Promise<string[]> {
  const listed = await askGit(
    place,
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
