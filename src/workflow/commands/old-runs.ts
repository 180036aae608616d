// What `adj prune` may take of workflows: runs that ended, with the worktrees of their calls that nothing came of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OldThings, PruneSearch } from "../../core/commands/prune/old-things.ts";
import { pruneRuns } from "../engine/control.ts";
import type { CallWorktree, Journal, RunRecord } from "../journal/journal.ts";
import { isUnchanged, removeUnchanged } from "../worktree/call-worktree.ts";
import { withJournal } from "./context.ts";

export async function findOldWorkflowRuns(search: PruneSearch): Promise<OldThings[]> {
  const { before, program } = search;
  if (!existsSync(join(program.stateDir, "workflow.db"))) return [];
  const old = await withJournal(search, (journal) => sortOld(journal, search));
  const count = old.runs.length;
  const kept = old.kept.length;
  if (count + kept === 0) return [];
  const remove = () =>
    withJournal(search, async (journal) => {
      for (const { run, worktrees } of old.runs)
        for (const worktree of worktrees) await removeUnchanged(worktree, placeOf(run, search));
      return pruneRuns(journal, before, old.kept);
    });
  const note =
    kept === 0
      ? null
      : `${kept} old ${kept === 1 ? "run" : "runs"} of workflows stay: worktrees with changes, see \`adj workflow adopt\``;
  return [{ what: "runs of workflows", count, bytes: null, note, remove }];
}

interface OldRun {
  readonly run: RunRecord;
  readonly worktrees: readonly CallWorktree[];
}

const ENDED: ReadonlySet<string> = new Set(["done", "failed", "stopped"]);

/** A run whose worktree has something in it is somebody's work. */
async function sortOld(
  journal: Journal,
  search: PruneSearch,
): Promise<{ readonly runs: OldRun[]; readonly kept: string[] }> {
  const limit = search.before.toISOString();
  const runs: OldRun[] = [];
  const kept: string[] = [];
  for (const run of journal.listRuns({})) {
    if (!ENDED.has(run.status) || run.owner !== null || run.updatedAt >= limit) continue;
    const worktrees = journal.listEntries(run.id).flatMap(({ worktree }) => worktree ?? []);
    const there = worktrees.filter(({ path }) => existsSync(path));
    const checks = await Promise.all(there.map((one) => isUnchanged(one, placeOf(run, search))));
    if (checks.every(Boolean)) runs.push({ run, worktrees: there });
    else kept.push(run.id);
  }
  return { runs, kept };
}

const placeOf = ({ cwd }: RunRecord, { context }: PruneSearch) => ({
  cwd,
  env: context.env.forChild(),
  signal: context.signal,
});
