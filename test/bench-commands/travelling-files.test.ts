import { chmodSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashFiles, listCaseFiles } from "../../src/bench/planning/case-files.ts";
import type { SuiteCase } from "../../src/bench/suite.ts";
import type { TrialPlan } from "../../src/bench/trial.ts";
import { receiveFiles, uploadFiles } from "../../src/commands/bench/travelling-files.ts";
import { openBench } from "../../src/storage/bench.ts";
import { writeFiles } from "../bench-evaluators/grading.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const caseIn = (folder: string): SuiteCase => ({
  id: "a",
  tags: [],
  workspace: { kind: "template", folder: join(folder, "cases/a") },
  task: { kind: "prompt", text: "do it" },
  setup: [],
  teardown: [],
  env: [],
  evaluators: [],
  solution: null,
  timeoutMs: null,
  labels: [],
  unsupported: null,
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
    },
    repetition: 1,
    fingerprint: "f",
    suiteFolder: folder,
    timeoutMs: 1,
    files: await uploadFiles(store, folder)(files),
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
  await expect(uploadFiles(store, "/suite")(["/etc/hostname"])).rejects.toThrow(
    "lies outside the suite's folder",
  );
  const workDir = temporaryFolder();
  const plan = { files: { "../../escaped": "0" } };
  await expect(receiveFiles({ ...HARMLESS, ...plan }, { store, workDir })).rejects.toThrow(
    "leads out of the suite",
  );
  await store.close();
});

const HARMLESS: TrialPlan = {
  runId: "run",
  key: "a/x/1",
  case: caseIn("/suite"),
  agent: { id: "x", agent: "replay", config: {}, concurrency: null, ratePerMinute: null },
  repetition: 1,
  fingerprint: "f",
  suiteFolder: "/suite",
  timeoutMs: 1,
  files: null,
};
