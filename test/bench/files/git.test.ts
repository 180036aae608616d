import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneGit } from "../../../src/bench/files/git.ts";
import { removeFolder, temporaryFolder } from "../../support/temporary-folder.ts";

const env: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
};
const options = { env, signal: new AbortController().signal };
const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@b"];
const git = (folder: string, ...words: string[]): string =>
  execFileSync("git", ["-C", folder, ...AUTHOR, ...words], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

let source = "";
let start = "";

beforeAll(() => {
  source = mkdtempSync(join(tmpdir(), "adj-git-source-"));
  git(source, "init", "--quiet", "-b", "trunk");
  const commit = (text: string): string => {
    writeFileSync(join(source, "f.txt"), text);
    git(source, "add", "-A");
    git(source, "commit", "--quiet", "-m", text);
    return git(source, "rev-parse", "HEAD");
  };
  commit("in the past");
  start = commit("the start");
  commit("solution on trunk");
  git(source, "tag", "-a", "v1", "-m", "solution in a tag");
  git(source, "switch", "--quiet", "-c", "other");
  commit("solution on a branch");
  writeFileSync(join(source, "f.txt"), "solution in the stash");
  git(source, "stash");
  git(source, "switch", "--quiet", "trunk");
  git(source, "config", "remote.origin.url", "https://example.com/solution.git");
  git(source, "repack", "-a", "-d", "--quiet");
});

afterAll(() => removeFolder(source));

/** All that git can be asked for, and the files of the repository itself. */
function everything(folder: string): string {
  const objects = git(folder, "cat-file", "--batch-all-objects", "--batch-check", "--unordered")
    .split("\n")
    .map((line) => line.split(" "))
    .map(([id = "", kind = ""]) => (kind === "tree" ? "" : git(folder, "cat-file", kind, id)));
  const said = [
    ...[["log", "--all", "-p"], ["for-each-ref"], ["reflog", "--all"], ["stash", "list"]],
    ...[
      ["fsck", "--lost-found"],
      ["remote", "-v"],
      ["config", "--local", "--list"],
    ],
  ].map((words) => git(folder, ...words));
  return [...objects, ...said].join("\n");
}

test.each([
  ["the branch that is usual", { branch: null }, "trunk"],
  ["another branch", { branch: "other" }, "other"],
])("a clone of a commit has its past and nothing else, on %s", async (_, { branch }, name) => {
  const folder = join(temporaryFolder("adj-git-"), "clone");
  await cloneGit({ source, branch, commit: start, history: true }, folder, options);
  expect(readFileSync(join(folder, "f.txt"), "utf8")).toBe("the start");
  expect(git(folder, "log", "--format=%s")).toBe("the start\nin the past");
  expect(git(folder, "for-each-ref", "--format=%(refname)")).toBe(`refs/heads/${name}`);
  expect(git(folder, "status", "--porcelain", "--branch")).toBe(`## ${name}`);
  expect(everything(folder)).not.toContain("solution");
  for (const file of [
    "FETCH_HEAD",
    "ORIG_HEAD",
    "packed-refs",
    "logs",
    "objects/info/alternates",
    "hooks",
  ])
    expect(existsSync(join(folder, ".git", file)), file).toBe(false);
});

test.each([
  ["a repository", () => source],
  ["a bundle", makeBundle],
])("without history there is one commit, from %s", async (_, find) => {
  const folder = join(temporaryFolder("adj-git-"), "clone");
  await cloneGit({ source: find(), branch: null, commit: start, history: false }, folder, options);
  expect(readFileSync(join(folder, "f.txt"), "utf8")).toBe("the start");
  expect(git(folder, "rev-list", "--all", "--count")).toBe("1");
  expect(everything(folder)).not.toMatch(/solution|in the past|the start\n.*parent/);
  expect(() => git(folder, "cat-file", "-t", start)).toThrow("could not get object info");
});

test("a commit by the beginning of its name, and one that only a bundle has, is found", async () => {
  const folder = join(temporaryFolder("adj-git-"), "clone");
  const short = start.slice(0, 10);
  await cloneGit(
    { source: makeBundle(), branch: null, commit: short, history: true },
    folder,
    options,
  );
  expect(git(folder, "log", "--format=%s")).toBe("the start\nin the past");
  expect(everything(folder)).not.toContain("solution");
});

function makeBundle(): string {
  const file = join(temporaryFolder("adj-git-"), "all.bundle");
  git(source, "bundle", "create", "--quiet", file, "--all");
  return file;
}
