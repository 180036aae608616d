import { execSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProjectRoot, findWorkTree } from "../../../src/core/project/paths.ts";
import { faultOf } from "../../support/faults.ts";
import { markRepository, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

test("the root is the nearest folder above with a .git folder", () => {
  const root = temporaryFolder();
  markRepository(root);
  mkdirSync(join(root, "a/.adjutant"), { recursive: true });
  mkdirSync(join(root, "a/b"));
  expect(findProjectRoot(join(root, "a/b"))).toBe(root);
});

test("an empty .git folder, as Codex leaves behind, makes no project", () => {
  const root = temporaryFolder();
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "a"));
  expect(findProjectRoot(join(root, "a"))).toBe(join(root, "a"));
});

test("a worktree has a file named .git and counts as well", () => {
  const root = temporaryFolder();
  writeFiles(root, {
    ".git/HEAD": "",
    "tree/.git": "gitdir: ../.git/worktrees/tree",
    "tree/src/x": "",
  });
  expect(findProjectRoot(join(root, "tree/src"))).toBe(join(root, "tree"));
});

test("without git the root is the nearest folder above with .adjutant", () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "a/.adjutant"), { recursive: true });
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  expect(findProjectRoot(join(root, "a/b/c"))).toBe(join(root, "a"));
});

test("with neither it is the working directory, its links resolved", () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  expect(findProjectRoot(join(root, "link"))).toBe(join(root, "real"));
});

test("a working directory that is gone is said so", async () => {
  const root = temporaryFolder();
  const raised = await faultOf(() => findProjectRoot(join(root, "gone")));
  expect(raised.message).toBe(`\`${join(root, "gone")}\` cannot be read: it does not exist`);
});

test("the root of a work tree is what git prints, and unknown where settings may say otherwise", () => {
  const root = temporaryFolder();
  const git = (line: string) =>
    execSync(`git -c user.name=a -c user.email=a@example.test ${line}`, { cwd: root });
  git("init -q -b main tree");
  git("-C tree commit -q --allow-empty -m one");
  git("-C tree worktree add -q ../linked");
  writeFiles(root, { "tree/src/x": "", "tree/below/.git": "gitdir: ../.git/modules/below" });
  const printed = execSync("git rev-parse --show-toplevel", { cwd: join(root, "tree/src") });
  expect(findWorkTree(join(root, "tree/src"))).toBe(printed.toString().trim());
  expect(findWorkTree(join(root, "linked"))).toBe(join(root, "linked"));
  expect(findWorkTree(join(root, "tree/below"))).toBe(null);
  expect(findWorkTree(root)).toBe(null);
  git("-C tree config core.worktree ../elsewhere");
  expect(findWorkTree(join(root, "tree/src"))).toBe(null);
});
