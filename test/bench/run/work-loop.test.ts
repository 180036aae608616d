import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { workLoop } from "../../../src/bench/run/work-loop.ts";
import { openBench } from "../../../src/bench/store/sqlite.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { openIdleRuntime } from "../store/idle-runtime.ts";
import { plansOf, runOf } from "../store/plans.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "adj-loop-"));
  return () => removeFolder(folder);
});

test("however many are held ready, only as many as may run do so", async () => {
  const store = openBench(folder);
  const running = { now: 0, most: 0 };
  const { runtime, remove } = openIdleRuntime(5);
  const runTask: typeof runtime.runTask = async (run) => {
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    return runtime.runTask(run).finally(() => (running.now -= 1));
  };
  await store.createRun(runOf("one", { concurrency: 2 }), plansOf("one", 12), []);
  const given = { labels: [], concurrency: 2, ahead: 3, runId: "one", infraRetries: 0 };
  const { signal } = new AbortController();
  await workLoop({ store, runtime: { ...runtime, runTask }, ...given, signal });
  expect(running).toEqual({ now: 0, most: 2 });
  expect((await store.results("one")).map(({ ending }) => ending)).toEqual(
    Array(12).fill("passed"),
  );
  await store.close();
  remove();
});

test("a trial that was only held ready goes back as if nobody had taken it", async () => {
  const store = openBench(folder);
  const stop = new AbortController();
  const { runtime, remove } = openIdleRuntime(60_000, { onStart: () => stop.abort() });
  await store.createRun(runOf("one", { concurrency: 1 }), plansOf("one", 3), []);
  const given = { labels: [], concurrency: 1, ahead: 2, runId: "one", infraRetries: 0 };
  await workLoop({ store, runtime, ...given, signal: stop.signal });
  expect(await store.results("one")).toEqual([]);
  const again = await store.claim({ id: "later", labels: [], now: new Date() }, "one");
  expect(again).toMatchObject({ kind: "claimed", claim: { attempt: 1, plan: { repetition: 1 } } });
  await store.close();
  remove();
});
