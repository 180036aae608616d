// What calls left in worktrees of their own, as git tells it; nothing is changed by it.
import { existsSync } from "node:fs";
import { readGit } from "../../core/process/read-git.ts";
import type { CallWorktree, JournalEntry, RunRecord } from "../journal/journal.ts";
import type { KeptWorktree } from "../report/report.ts";

interface GitPlace {
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
}

/** A larger change is read in git itself. */
const MAX_PATCH = 1_000_000;

export async function readWorktrees(
  entries: readonly JournalEntry[],
  { root }: Pick<RunRecord, "root">,
  place: GitPlace,
): Promise<KeptWorktree[]> {
  const kept: KeptWorktree[] = [];
  for (const { number, worktree } of entries) {
    if (worktree === null) continue;
    const { path, branch } = worktree;
    kept.push({ number, path, branch, ...(await readChange(worktree, root, place)) });
  }
  return kept;
}

/** What is committed and what is not, against where it started; a worktree that is gone has its branch at the most. */
async function readChange(
  { path, branch, base }: CallWorktree,
  root: string,
  place: GitPlace,
): Promise<Pick<KeptWorktree, "diffstat" | "patch">> {
  const isThere = existsSync(path);
  const range = isThere ? [base] : [base, branch];
  const read = (...words: string[]) => readText(words, { ...place, cwd: isThere ? path : root });
  const stat = await read("diff", "--stat=80", ...range, "--");
  if (stat === null) return { diffstat: null, patch: null };
  const added = isThere ? ((await read("ls-files", "--others", "--exclude-standard")) ?? "") : "";
  const patch = await read("diff", ...range, "--");
  return {
    diffstat: [
      ...linesOf(stat).map((line) => line.trim()),
      ...linesOf(added).map((file) => `new file: ${file}`),
    ],
    patch: patch === null || patch.length > MAX_PATCH ? null : patch,
  };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

async function readText(
  words: readonly string[],
  options: GitPlace & { readonly cwd: string },
): Promise<string | null> {
  const ending = await readGit(words, options);
  if (ending.kind !== "exited" || ending.exitCode !== 0) return null;
  return Buffer.from(ending.stdout).toString();
}
