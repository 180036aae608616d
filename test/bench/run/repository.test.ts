import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCommits } from "../../../src/bench/run/repository.ts";
import type { SuiteCase } from "../../../src/bench/suite/suite.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { CASE } from "../store/plans.ts";

let repository = "";
const commits: Record<string, string> = {};
const env: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? "" };
const place = { env, signal: new AbortController().signal };

const git = (...words: string[]): string =>
  execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
    encoding: "utf8",
  }).trim();

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "adj-commits-"));
  git("init", "--quiet", "-b", "main");
  for (const branch of ["main", "feature/fix", "fix"]) {
    if (branch !== "main") git("switch", "--quiet", "-c", branch, "main");
    git("commit", "--quiet", "--allow-empty", "-m", branch);
    commits[branch] = git("rev-parse", "HEAD");
  }
  git("tag", "-a", "v1", "-m", "first", "feature/fix");
  git("switch", "--quiet", "main");
});

afterAll(() => removeFolder(repository));

const start = async (named: { branch?: string; commit?: string }, given = env) => {
  const { branch = null, commit = null } = named;
  const one: SuiteCase = {
    ...CASE,
    workspace: { kind: "git", source: repository, branch, commit, history: true },
  };
  const complain = (problem: string) => new Error(problem);
  return (await findCommits(one, { ...place, env: given }, complain))?.start;
};

describe("a case starts from", () => {
  test.each([
    ["what is checked out, without a word", {}, "main"],
    ["the very branch, not one that ends like it", { branch: "fix" }, "fix"],
    ["a branch with a slash", { branch: "feature/fix" }, "feature/fix"],
    ["the commit of a tag", { branch: "v1" }, "feature/fix"],
  ])("%s", async (_, named, expected) => {
    expect(await start(named)).toBe(commits[expected]);
  });

  test("a commit, however short it is written", async () => {
    expect(await start({ commit: commits.fix?.slice(0, 8) ?? "" })).toBe(commits.fix);
  });

  test("the repository that is named, whatever the environment says", async () => {
    const hook = { ...env, GIT_DIR: "/nowhere" };
    expect(await start({ commit: commits.fix ?? "" }, hook)).toBe(commits.fix);
  });
});

test("what is not there is said before anything runs", async () => {
  await expect(start({ branch: "ix" })).rejects.toThrow("has no `ix`");
  await expect(start({}, { ...env, GIT_CONFIG_COUNT: "nonsense" })).rejects.toThrow(
    /cannot be read: \S/,
  );
  await expect(start({ commit: "0123456" })).rejects.toThrow("has no commit `0123456`");
});
