import { expect, test } from "vitest";
import { openPostgresBench } from "../../src/bench/store/postgres.ts";
import { startFilePostgres } from "../bench/store/file-postgres.ts";
import { plansOf, runOf } from "../bench/store/plans.ts";
import { awaitResults, countedBy, startWorker } from "./bench-workers.ts";

const server = await startFilePostgres();

test("a server that is restarted, and one that crashes, loses no result and doubles none", async () => {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  await store.createRun(runOf("restarted"), plansOf("restarted", 150), []);
  const order = { address, runId: "restarted", trialMs: 60 };
  const workers = [startWorker(order), startWorker(order), startWorker(order)];
  await awaitResults(store, "restarted", { atLeast: 20 });
  await server.stop();
  await server.start();
  await awaitResults(store, "restarted", { atLeast: 60 });
  await server.crash();
  await server.start();
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0]);

  const keys = (await store.results("restarted")).map(({ key }) => key);
  expect(keys).toEqual(plansOf("restarted", 150).map(({ key }) => key));
  const counted = countedBy(workers);
  expect(counted.toSorted()).toEqual(keys.toSorted());
  await store.close();
}, 120_000);

test("whoever is told to stop while the server is away waits for it no longer", async () => {
  const stop = new AbortController();
  const store = await openPostgresBench(await server.makeDatabase(), { signal: stop.signal });
  await store.createRun(runOf("away"), plansOf("away", 1), []);
  await server.stop();
  try {
    const claim = store.claim({ id: "w", labels: [], now: new Date() }, "away");
    stop.abort();
    await expect(claim).rejects.toThrow("the server does not answer");
  } finally {
    await server.start();
    await store.close();
  }
  // Without it a claim is tried for a minute.
}, 20_000);
