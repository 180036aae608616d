import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPostgresBench } from "../../src/bench/store/postgres.ts";
import { HEARTBEAT_LAPSE_MS } from "../../src/bench/store/store.ts";
import { startFilePostgres } from "../bench/store/file-postgres.ts";
import { plansOf, runOf } from "../bench/store/plans.ts";
import { awaitResults, countedBy, startWorker } from "./bench-workers.ts";

const server = await startFilePostgres();

test("with a worker killed every second every trial gets exactly one result", async () => {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  await store.createRun(runOf("killed"), plansOf("killed", 200), []);
  const start = () => startWorker({ address, runId: "killed", trialMs: 150 });
  const workers = Array.from({ length: 4 }, start);
  await Promise.all(workers.map((worker) => worker.nextLine()));
  for (let kills = 0; kills < 6; kills++) {
    await pause(1_000);
    const oldest = workers.find(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
    oldest?.child.kill("SIGKILL");
    workers.push(start());
  }
  const left = workers.filter(({ child }) => !child.killed);
  expect(await Promise.all(left.map(({ ended }) => ended))).toEqual(left.map(() => 0));

  const results = await store.results("killed");
  expect(results.map(({ key }) => key)).toEqual(plansOf("killed", 200).map(({ key }) => key));
  expect(results.every(({ ending }) => ending === "passed")).toBe(true);
  expect(results.some(({ attempts }) => attempts > 1)).toBe(true);
  const counted = countedBy(workers);
  expect(new Set(counted).size).toBe(counted.length);
  expect(await store.claim({ id: "late", labels: [], now: new Date() }, "killed")).toEqual({
    kind: "finished",
  });
  await store.close();
}, 120_000);

test("a trial longer than the silence that loses it stays with its worker", async () => {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  await store.createRun(runOf("long"), plansOf("long", 1), []);
  const order = { address, runId: "long", trialMs: HEARTBEAT_LAPSE_MS + 2_000 };
  const workers = [startWorker(order), startWorker(order)];
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  expect(countedBy(workers)).toEqual(["a/x/1"]);
  expect(await store.results("long")).toMatchObject([{ attempts: 1 }]);
  await store.close();
}, 60_000);

test("a cancelled run is taken from its workers", async () => {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  await store.createRun(runOf("cancelled"), plansOf("cancelled", 2), []);
  const worker = startWorker({ address, runId: "cancelled", trialMs: 600_000 });
  expect([await worker.nextLine(), await worker.nextLine()]).toEqual(["ready", "began"]);
  await store.cancelRun("cancelled");
  expect(await worker.nextLine()).toBe("taken away");
  expect(await worker.ended).toBe(0);
  expect(await store.results("cancelled")).toMatchObject([{ ending: "cancelled" }]);
  await store.close();
}, 60_000);

test("workers that come at once to a database with nothing in it share its trials", async () => {
  const address = await server.makeDatabase();
  const order = { address, runId: "-", trialMs: 20 };
  const workers = Array.from({ length: 4 }, () => startWorker(order));
  const first = await Promise.all(workers.map((worker) => worker.nextLine()));
  expect(first).toEqual(["ready", "ready", "ready", "ready"]);
  const store = await openPostgresBench(address);
  await store.createRun(runOf("shared"), plansOf("shared", 40), []);
  await awaitResults(store, "shared", { atLeast: 40 });
  for (const { child } of workers) child.kill("SIGKILL");
  await Promise.all(workers.map(({ ended }) => ended));
  const by = new Set((await store.results("shared")).map(({ worker }) => worker));
  expect(by.size).toBeGreaterThan(1);
  await store.close();
}, 60_000);
