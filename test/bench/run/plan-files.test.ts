import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneGit } from "../../../src/bench/files/git.ts";
import { receiveFiles, uploadFiles } from "../../../src/bench/run/plan-files.ts";
import { bundleRepository } from "../../../src/bench/run/repository.ts";
import { openBench } from "../../../src/bench/store/sqlite.ts";
import { OPEN_SANDBOX } from "../../../src/bench/suite/agents.ts";
import { hashFiles, listCaseFiles } from "../../../src/bench/suite/fingerprint.ts";
import type { SuiteCase } from "../../../src/bench/suite/suite.ts";
import type { TrialPlan } from "../../../src/bench/suite/trial.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { writeFiles } from "../evaluators/grading.ts";
import { CASE } from "../store/plans.ts";

const caseIn = (folder: string): SuiteCase => ({
  ...CASE,
  workspace: { kind: "template", folder: join(folder, "cases/a") },
});

test("a case's files arrive as they were, wherever the other machine keeps them", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, {
    "cases/a/run.sh": "echo hi",
    "cases/a/data.bin": "\0\u00ff",
    "tape.yaml": "x",
  });
  chmodSync(join(folder, "cases/a/run.sh"), 0o755);
  symlinkSync("run.sh", join(folder, "cases/a/link"));
  const store = openBench(temporaryFolder());
  const one = caseIn(folder);
  const listed = await listCaseFiles(one, { folder, find: () => null });
  const files = [...listed, join(folder, "tape.yaml")];
  const plan: TrialPlan = {
    runId: "run",
    key: "a/x/1",
    case: one,
    agent: {
      id: "x",
      agent: "replay",
      config: { cassette: join(folder, "tape.yaml"), model: "m.1" },
      concurrency: null,
      ratePerMinute: null,
      sandbox: OPEN_SANDBOX,
    },
    repetition: 1,
    fingerprint: "f",
    suiteFolder: folder,
    timeoutMs: 1,
    files: await uploadFiles(store, folder)({ files, repository: null }),
  };
  const workDir = temporaryFolder();
  const received = await receiveFiles(plan, { store, workDir });
  const here = received.suiteFolder;
  expect(here.startsWith(workDir)).toBe(true);
  expect(received.case.workspace).toEqual({ kind: "template", folder: join(here, "cases/a") });
  expect(received.agent.config).toEqual({ cassette: join(here, "tape.yaml"), model: "m.1" });
  expect(readFileSync(join(here, "cases/a/data.bin"))).toEqual(
    readFileSync(join(folder, "cases/a/data.bin")),
  );
  expect(statSync(join(here, "cases/a/run.sh")).mode & 0o111).not.toBe(0);
  expect(readlinkSync(join(here, "cases/a/link"))).toBe("run.sh");
  const there = await listCaseFiles(caseIn(here), { folder: here, find: () => null });
  expect(await hashFiles(there, here)).toEqual(await hashFiles(listed, folder));
  await store.close();
});

test("what lies outside the suite's folder cannot travel, nor arrive there", async () => {
  const store = openBench(temporaryFolder());
  const luggage = { files: ["/etc/hostname"], repository: null };
  await expect(uploadFiles(store, "/suite")(luggage)).rejects.toThrow(
    "lies outside the suite's folder",
  );
  const workDir = temporaryFolder();
  const plan = { files: { "../../escaped": "0" } };
  await expect(receiveFiles({ ...HARMLESS, ...plan }, { store, workDir })).rejects.toThrow(
    "leads out of the suite",
  );
  await store.close();
});

const git = (folder: string, ...words: string[]): string =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
    encoding: "utf8",
  }).trim();

const complain = (problem: string): Error => new Error(problem);
const place = { env: { PATH: process.env.PATH ?? "" }, signal: new AbortController().signal };

test("a repository of this machine travels whole, also from outside of the suite", async () => {
  const repository = temporaryFolder();
  git(repository, "init", "--quiet", "-b", "main");
  git(repository, "commit", "--quiet", "--allow-empty", "-m", "one");
  const start = git(repository, "rev-parse", "HEAD");
  git(repository, "switch", "--quiet", "-c", "solved");
  writeFiles(repository, { "answer.txt": "42" });
  git(repository, "add", ".");
  git(repository, "commit", "--quiet", "-m", "two");
  const workspace = {
    kind: "git",
    source: repository,
    branch: "main",
    commit: start,
    history: true,
  } as const;
  const store = openBench(temporaryFolder());
  const bundle = await bundleRepository(workspace, place, complain);
  const files = await uploadFiles(store, "/suite")({ files: [], repository: bundle });
  const plan = { ...HARMLESS, case: { ...HARMLESS.case, workspace }, files };
  const { case: received } = await receiveFiles(plan, { store, workDir: temporaryFolder() });
  rmSync(repository, { recursive: true });
  if (received.workspace.kind !== "git") throw new TypeError("it was a repository");
  const [clone, other] = [join(temporaryFolder(), "a"), join(temporaryFolder(), "b")];
  await cloneGit(received.workspace, clone, place);
  expect(git(clone, "rev-parse", "HEAD", "--abbrev-ref", "HEAD")).toBe(`${start}\nmain`);
  await cloneGit({ ...received.workspace, branch: "solved", commit: null }, other, place);
  expect(readFileSync(join(other, "answer.txt"), "utf8")).toBe("42");
  await store.close();
});

test("a repository that has an address is fetched by the worker itself", async () => {
  const source = "https://example.com/a.git";
  const workspace = { kind: "git", source, branch: null, commit: null, history: true } as const;
  expect(await bundleRepository(workspace, place, complain)).toBeNull();
});

test("a pipe in a template is passed over, as in a workspace", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "cases/a/file": "x" });
  execFileSync("mkfifo", [join(folder, "cases/a/pipe")]);
  const listed = await listCaseFiles(caseIn(folder), { folder, find: () => null });
  expect(listed).toEqual([join(folder, "cases/a/file")]);
});

test("the folder of an empty template is there", async () => {
  const store = openBench(temporaryFolder());
  const plan = { ...HARMLESS, files: {} };
  const { case: received } = await receiveFiles(plan, { store, workDir: temporaryFolder() });
  if (received.workspace.kind !== "template") throw new TypeError("it was a template");
  expect(statSync(received.workspace.folder).isDirectory()).toBe(true);
  await store.close();
});

const HARMLESS: TrialPlan = {
  runId: "run",
  key: "a/x/1",
  case: caseIn("/suite"),
  agent: {
    id: "x",
    agent: "replay",
    config: {},
    concurrency: null,
    ratePerMinute: null,
    sandbox: OPEN_SANDBOX,
  },
  repetition: 1,
  fingerprint: "f",
  suiteFolder: "/suite",
  timeoutMs: 1,
  files: null,
};
