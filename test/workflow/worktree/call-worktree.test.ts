import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  adoptWorktree,
  openWorktree,
  removeUnchanged,
} from "../../../src/workflow/worktree/call-worktree.ts";
import { askGit, changeByGit } from "../../../src/workflow/worktree/repository.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const { signal } = new AbortController();

/** A real repository with one commit, and programs in its settings that must never run. */
async function openRepository() {
  const folder = temporaryFolder();
  const [top, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(top);
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_CACHE_HOME: join(folder, "cache"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const place = { cwd: top, env, signal };
  const git = async (...words: string[]) => {
    const answer = await changeByGit(place, ...words);
    if (!answer.isOk) throw new Error(`git ${words.join(" ")}: ${answer.problem}`);
    return answer.text;
  };
  await git("init", "--quiet", "-b", "main");
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.org");
  writeFiles(top, { "a.txt": "one\n", "lib/b.txt": "two\n" });
  await git("add", "--all");
  await git("commit", "--quiet", "-m", "first");
  const ran = join(folder, "ran");
  writeFiles(top, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${ran}\n` });
  await git("config", "core.hooksPath", join(top, ".git/hooks"));
  await git("config", "filter.evil.smudge", `touch ${ran}; cat`);
  await git("config", "merge.evil.driver", `touch ${ran}`);
  writeFiles(top, { ".git/info/attributes": "* filter=evil merge=evil\n" });
  const request = { ...place, workflowRunId: "wf_abcabcabcabc", number: 7, kept: null };
  return { top, place, git, ran, request };
}

const MESSAGE = { message: "what call 7 did" };

describe("a worktree of a call", () => {
  test("lies in the cache, on a branch of its own, and starts nothing of the repository", async () => {
    const { request, place, ran } = await openRepository();
    const { worktree, cwd, notice } = await openWorktree(request);
    expect(worktree.path).toBe(
      join(place.env.XDG_CACHE_HOME, "adjutant/worktrees/wf_abcabcabcabc/7"),
    );
    expect([worktree.branch, cwd, notice]).toEqual([
      "adjutant/wf_abcabcabcabc/7",
      worktree.path,
      null,
    ]);
    expect(readFileSync(join(cwd, "lib/b.txt"), "utf8")).toBe("two\n");
    expect(existsSync(ran)).toBe(false);
  });

  test("of a folder below the top is that folder in it", async () => {
    const { request, top } = await openRepository();
    const { worktree, cwd } = await openWorktree({ ...request, cwd: join(top, "lib") });
    expect(cwd).toBe(join(worktree.path, "lib"));
  });

  test("says what it starts from where the tree is dirty", async () => {
    const { request, top } = await openRepository();
    writeFiles(top, { "a.txt": "changed\n", "new.txt": "" });
    const { worktree, cwd, notice } = await openWorktree(request);
    const start = worktree.base.slice(0, 10);
    expect(notice).toBe(`the worktree starts from commit ${start}; 2 changed files are not in it`);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  });

  test("is taken up as an earlier start left it, its folder or only its branch", async () => {
    const { request, place } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    writeFileSync(join(cwd, "half.txt"), "half");
    const again = await openWorktree({ ...request, kept: worktree });
    expect(again.worktree).toEqual(worktree);
    expect(readFileSync(join(cwd, "half.txt"), "utf8")).toBe("half");
    const inside = { ...place, cwd };
    await changeByGit(inside, "add", "--all");
    await changeByGit(inside, "commit", "--quiet", "-m", "half");
    rmSync(cwd, { recursive: true });
    const third = await openWorktree({ ...request, kept: worktree });
    expect(third.worktree).toEqual(worktree);
    expect(readFileSync(join(cwd, "half.txt"), "utf8")).toBe("half");
  });

  test.each(["no repository", "no commit"])("is refused with a sentence: %s", async (what) => {
    const { request, git, top } = await openRepository();
    if (what === "no commit") await git("update-ref", "-d", "HEAD");
    else rmSync(join(top, ".git"), { recursive: true });
    const expected =
      what === "no commit"
        ? `a worktree of its own: the repository \`${top}\` has no commit yet`
        : `a worktree of its own: \`${top}\` is not in a git repository`;
    await expect(openWorktree(request)).rejects.toThrow(expected);
  });

  test("goes when nothing was done in it, and stays with its change else", async () => {
    const { request, place } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    writeFileSync(join(cwd, "a.txt"), "other\n");
    expect(await removeUnchanged(worktree, place)).toBe(false);
    writeFileSync(join(cwd, "new.txt"), "");
    writeFileSync(join(cwd, "a.txt"), "one\n");
    rmSync(join(cwd, "new.txt"));
    expect(await removeUnchanged(worktree, place)).toBe(true);
    expect(existsSync(worktree.path)).toBe(false);
    const left = await askGit(place, "branch", "--list", "adjutant/*");
    expect(left.text).toBe("");
  });

  test("with a commit of its own is not unchanged, also when its folder is gone", async () => {
    const { request, place } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    const inside = { ...place, cwd };
    await changeByGit(inside, "commit", "--quiet", "--allow-empty", "-m", "mine");
    expect(await removeUnchanged(worktree, place)).toBe(false);
    rmSync(cwd, { recursive: true });
    expect(await removeUnchanged(worktree, place)).toBe(false);
  });
});

describe("adopting", () => {
  test("merges what is committed and what is not, and starts nothing of the repository", async () => {
    const { request, place, top, ran } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    writeFileSync(join(cwd, "a.txt"), "better\n");
    writeFileSync(join(cwd, "new.txt"), "new\n");
    const adopted = await adoptWorktree(worktree, { context: place, ...MESSAGE });
    expect(adopted.diffstat).toBe("2 files changed, 2 insertions(+), 1 deletion(-)");
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("better\n");
    expect((await askGit(place, "log", "-1", "--format=%s %P")).text).toMatch(
      /^what call 7 did \w+ \w+$/,
    );
    expect(existsSync(ran)).toBe(false);
  });

  test("is refused on a conflict, with the files, and nothing is changed", async () => {
    const { request, place, top, git } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    writeFileSync(join(cwd, "a.txt"), "theirs\n");
    writeFileSync(join(top, "a.txt"), "mine\n");
    await git("commit", "--quiet", "-am", "mine");
    const before = await git("rev-parse", "HEAD");
    await expect(adoptWorktree(worktree, { context: place, ...MESSAGE })).rejects.toThrow(
      "adopt: it conflicts with what you have in `a.txt`",
    );
    expect(await git("rev-parse", "HEAD")).toBe(before);
    expect((await askGit(place, "status", "--porcelain")).text).toBe("");
  });

  test("is refused where it would overwrite what is not committed", async () => {
    const { request, place, top } = await openRepository();
    const { worktree, cwd } = await openWorktree(request);
    writeFileSync(join(cwd, "a.txt"), "theirs\n");
    writeFileSync(join(top, "a.txt"), "not committed\n");
    await expect(adoptWorktree(worktree, { context: place, ...MESSAGE })).rejects.toThrow(
      /^adopt: /,
    );
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("not committed\n");
    expect((await askGit(place, "rev-parse", "--verify", "MERGE_HEAD")).isOk).toBe(false);
  });
});
