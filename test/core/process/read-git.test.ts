import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readGit } from "../../../src/core/process/read-git.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

let folder: string;
let repository: string;
let canaries: string;
let env: Record<string, string>;

/** Settings by which a repository has its own program run, each with what starts it. */
const canary = (name: string): string => `touch '${canaries}/${name}'; false`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adj-read-git-"));
  repository = join(folder, "repository");
  canaries = join(folder, "canaries");
  mkdirSync(repository);
  env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_EXTERNAL_DIFF: canary("external-variable"),
    GIT_PAGER: canary("pager-variable"),
  };
  const { GIT_EXTERNAL_DIFF: _, ...plain } = env;
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository, env: plain, encoding: "utf8" }).trim();
  git("init", "-q");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "a");
  writeFileSync(join(repository, ".gitattributes"), "*.txt filter=f=1 diff=d\n");
  writeFileSync(join(repository, "a.txt"), "one\n");
  writeFileSync(join(repository, "b.txt"), "missing\n");
  git("add", ".");
  git("commit", "-qm", "first");
  // The object behind b.txt is missing, so git would fetch it from the promised remote.
  writeFileSync(join(repository, "b.txt"), "changed\n");
  git("add", "b.txt");
  const missing = git("rev-parse", "HEAD:b.txt");
  rmSync(join(repository, ".git/objects", missing.slice(0, 2), missing.slice(2)));
  writeFileSync(join(repository, "a.txt"), "two\n");
  const settings: [string, string][] = [
    ["filter.f=1.clean", canary("clean")],
    ["filter.f=1.process", canary("process")],
    ["filter.f=1.required", "true"],
    ["diff.external", canary("external")],
    ["diff.d.textconv", canary("textconv")],
    ["diff.d.command", canary("driver")],
    ["core.fsmonitor", canary("fsmonitor")],
    ["core.sshCommand", canary("ssh")],
    ["core.pager", canary("pager")],
    ["core.repositoryformatversion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", "ssh://example.org/x"],
    ["hook.lint=1.command", canary("config-hook")],
    ["hook.lint=1.event", "post-index-change"],
    ["credential.helper", `!${canary("credential")}`],
  ];
  for (const [name, value] of settings) git("config", name, value);
  writeFileSync(
    join(repository, ".git/hooks/post-index-change"),
    `#!/bin/sh\n${canary("hook")}\n`,
    {
      mode: 0o755,
    },
  );
});
beforeEach(() => {
  rmSync(canaries, { recursive: true, force: true });
  mkdirSync(canaries);
});
afterAll(() => removeFolder(folder));

const READINGS = [
  ["diff"],
  ["diff", "--cached"],
  ["diff", "HEAD"],
  ["status", "--porcelain"],
  ["ls-files", "-m"],
  ["ls-files", "--others", "--exclude-standard", "-z"],
  ["branch", "--show-current"],
  ["config", "--list", "-z"],
  ["rev-list", "--objects", "HEAD"],
  ["cat-file", "-p", "HEAD:b.txt"],
];

describe("reading git starts none of the repository's programs", () => {
  it.each(READINGS)("git %s %s", async (...args) => {
    const words = args.filter((word) => word !== undefined);
    await readGit(words, { cwd: repository, env, signal: new AbortController().signal });
    expect(readdirSync(canaries)).toEqual([]);
  });

  it("which git itself does", () => {
    for (const args of READINGS)
      try {
        execFileSync("git", args, { cwd: repository, env, stdio: "ignore" });
      } catch {
        // The programs fail on purpose, and git with them.
      }
    expect(readdirSync(canaries)).toEqual(expect.arrayContaining(["fsmonitor", "process", "ssh"]));
  });
});

it("hooks of its settings, which git knows since 2.54, are off when git writes as well", async () => {
  const signal = new AbortController().signal;
  const options = { cwd: repository, env, signal, isWriting: true };
  const { stdout } = await readGit(["config", "--get", "hook.lint=1.enabled"], options);
  expect(Buffer.from(stdout).toString()).toBe("false\n");
});

it("what is changed is told all the same", async () => {
  const options = { cwd: repository, env, signal: new AbortController().signal };
  const { stdout } = await readGit(["status", "--porcelain"], options);
  expect(Buffer.from(stdout).toString()).toBe(" M a.txt\nM  b.txt\n");
});
