import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NewEntry } from "../../../src/workflow/journal/journal.ts";
import { openJournal } from "../../../src/workflow/journal/sqlite-journal.ts";
import { openWorktree } from "../../../src/workflow/worktree/call-worktree.ts";
import { openTestProgram, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { addTestRun } from "../engine/scripted-run.ts";

const ENTRY: NewEntry = {
  ...{ kind: "agent", path: "0", content: "abc", ordinal: 0, label: "look", phase: null },
  ...{ asked: { prompt: "look" }, agent: "claude", model: null, sessionId: null },
};

test("`adj prune` takes old runs of workflows with worktrees that nothing came of, and keeps somebody's work", async () => {
  const opened = openTestProgram();
  const { root, folder, stateDir } = opened;
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  const git = (...words: string[]) => spawnSync("git", words, { cwd: root, env });
  git("init", "--quiet", "-b", "main");
  writeFiles(root, { "a.txt": "one\n" });
  git("add", "--all");
  git("-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "--quiet", "-m", "first");
  const journal = openJournal(stateDir);
  const { signal } = new AbortController();
  const paths: string[] = [];
  for (const id of ["wf_empty", "wf_changed"]) {
    addTestRun(journal, { id, status: "done", root, cwd: root });
    const number = journal.begin(id, ENTRY);
    const request = { cwd: root, env, signal, workflowRunId: id, number, kept: null };
    const { worktree } = await openWorktree(request);
    journal.change(id, number, { worktree });
    paths.push(worktree.path);
  }
  addTestRun(journal, { id: "wf_waiting", status: "waiting" });
  writeFiles(paths[1] ?? "", { "a.txt": "two\n" });
  journal.close();
  const outcome = await opened.run(["prune", "--older", "1ms"], { yes: true, env });
  expect(textOf(outcome)).toContain("1 old run of workflows stay: worktrees with changes");
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
  const after = openJournal(stateDir);
  expect(
    after
      .listRuns({})
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["wf_changed", "wf_waiting"]);
  after.close();
});
