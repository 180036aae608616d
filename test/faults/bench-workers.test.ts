// What the long tier does with many workers, many kills and real waiting, once and in a small size.
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresBench } from "../../src/bench/store/postgres.ts";
import { HEARTBEAT_LAPSE_MS } from "../../src/bench/store/store.ts";
import { startFilePostgres } from "../bench/store/file-postgres.ts";
import { plansOf, runOf } from "../bench/store/plans.ts";
import { awaitResults, countedBy, startWorker } from "./bench-workers.ts";

const server = await startFilePostgres();

test("the trial of a worker that was killed is done by another, once, and a crash of the server loses nothing", async () => {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  onTestFinished(() => store.close());
  await store.createRun(runOf("killed"), plansOf("killed", 6), []);
  const killed = startWorker({ address, runId: "killed", trialMs: 600_000 });
  expect([await killed.nextLine(), await killed.nextLine()]).toEqual(["ready", "began"]);
  killed.child.kill("SIGKILL");
  const other = startWorker({ address, runId: "killed", trialMs: 10 });
  await awaitResults(store, "killed", { atLeast: 2 });
  await server.crash();
  await server.start();
  await awaitResults(store, "killed", { atLeast: 5 });
  await endSilence(address);
  expect(await other.ended).toBe(0);
  const results = await store.results("killed");
  expect(results.map(({ key }) => key)).toEqual(plansOf("killed", 6).map(({ key }) => key));
  expect(results.filter(({ attempts }) => attempts > 1)).toHaveLength(1);
  expect(countedBy([killed, other]).toSorted()).toEqual(results.map(({ key }) => key).toSorted());
}, 60_000);

/** As if everybody had been silent for longer than a worker may be. */
async function endSilence(address: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  const past = `clock_timestamp() - interval '${HEARTBEAT_LAPSE_MS + 1_000} milliseconds'`;
  await client.query(`UPDATE adjutant_bench_queue.job SET heartbeat_on = ${past}`);
  await client.end();
}
