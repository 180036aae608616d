import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readProcessState } from "../../../src/core/process/identity.ts";
import { killRun } from "../../../src/core/process/kill-tree.ts";
import { createWorkerPool } from "../../../src/hooks/resident/workers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";

interface Job {
  readonly act: string;
  readonly word?: string;
}

const url = pathToFileURL(join(import.meta.dirname, "fixtures", "job-worker.ts"));

function openPool() {
  const cleaned: string[] = [];
  const pool = createWorkerPool<Job, unknown>({
    url,
    cleanUp: async ({ id, since }) => {
      cleaned.push(id);
      await killRun({ runId: id, since });
    },
  });
  onTestFinished(() => pool.close());
  const { signal } = new AbortController();
  const run = (job: Job, rule = {}) =>
    pool.run(job, { project: "p", stamp: "1", limitMs: 5_000, signal, ...rule });
  return { pool, run, cleaned };
}

const done = (result: unknown) => ({ kind: "done", result });

test("a thread that did well does the next job, too", async () => {
  const { run } = openPool();
  const first = await run({ act: "thread" });
  expect(await run({ act: "thread" })).toEqual(first);
});

test("after a change of the files a fresh thread does the job; another place's does not mind", async () => {
  const { run } = openPool();
  const first = await run({ act: "thread" });
  const changed = await run({ act: "thread" }, { stamp: "2" });
  expect(changed).not.toEqual(first);
  await run({ act: "thread" }, { project: "q", stamp: "9" });
  expect(await run({ act: "thread" }, { stamp: "2" })).toEqual(changed);
});

test("where the state of the files is not known, no thread is used twice", async () => {
  const { run } = openPool();
  const first = await run({ act: "thread" }, { stamp: null });
  expect(await run({ act: "thread" }, { stamp: null })).not.toEqual(first);
});

test.each([
  ["throw", {}, { kind: "failed", problem: "Error: no" }],
  ["exit", {}, { kind: "lost" }],
  ["loop", { limitMs: 1 }, { kind: "timed_out" }],
  ["hang", { limitMs: 1 }, { kind: "timed_out" }],
] as const)(
  "a job that would %s ends by itself, and the next is served",
  async (act, rule, ending) => {
    const { run } = openPool();
    expect(await run({ act }, rule)).toEqual(ending);
    expect(await run({ act: "echo", word: "hi" })).toEqual(done("hi"));
  },
);

longTest("a job that takes all the memory ends by itself, and the next is served", async () => {
  const { run } = openPool();
  // Half a gigabyte takes its time on a machine that is busy.
  expect(await run({ act: "memory" }, { limitMs: 80_000 })).toEqual({ kind: "lost" });
  expect(await run({ act: "echo", word: "hi" })).toEqual(done("hi"));
});

test("what a job throws after its end hits nobody", async () => {
  const { run } = openPool();
  expect(await run({ act: "late" })).toEqual(done("now"));
  for (let again = 0; again < 20; again++)
    expect(["done", "lost"]).toContain((await run({ act: "echo", word: "x" })).kind);
  expect(await run({ act: "echo", word: "x" })).toEqual(done("x"));
});

longTest("a job is told when nobody waits for it any more", async () => {
  const { run } = openPool();
  const caller = new AbortController();
  const ending = run({ act: "cancelled" }, { signal: caller.signal });
  caller.abort();
  expect(await ending).toEqual(done("cancelled in good order"));
  expect(await run({ act: "hang" }, { signal: AbortSignal.abort() })).toEqual({
    kind: "cancelled",
  });
});

longTest("jobs at the same time do not wait for each other", async () => {
  const { run } = openPool();
  const stuck = run({ act: "loop" }, { limitMs: 1_500 });
  const words = Array.from({ length: 8 }, (_, at) => String(at));
  const answers = await Promise.all(words.map((word) => run({ act: "print", word })));
  expect(answers).toEqual(words.map(done));
  expect(await stuck).toEqual({ kind: "timed_out" });
});

test("a thread begins without an environment", async () => {
  const { run } = openPool();
  expect(await run({ act: "environment" })).toEqual(done(0));
});

longTest("what a thread that had to be ended has started is ended with it", async () => {
  const { run, cleaned } = openPool();
  const file = join(temporaryFolder(), "pid");
  expect(await run({ act: "leave", word: file }, { limitMs: 1 })).toEqual({ kind: "timed_out" });
  expect(cleaned).toHaveLength(1);
  const pid = Number(readFileSync(file, "utf8"));
  const sighting = readProcessState(pid);
  expect(sighting.kind === "gone" || (sighting.kind === "seen" && sighting.state === "Z")).toBe(
    true,
  );
});
