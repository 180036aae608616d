import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BenchStore, type Claim, HEARTBEAT_LAPSE_MS } from "../../src/bench/queue.ts";
import { Fault } from "../../src/command/fault.ts";
import { openBenchServer } from "../../src/storage/bench-postgres.ts";
import { createServerClock } from "../../src/storage/bench-postgres-clock.ts";
import { result } from "../bench-summary/results.ts";
import { plansOf, runOf } from "./plans.ts";
import { PASSWORD, startPostgres, type TestServer } from "./postgres-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

async function openFresh() {
  const address = await server.makeDatabase();
  const store = await openBenchServer(address);
  onTestFinished(() => store.close());
  const client = new Client({ connectionString: address });
  await client.connect();
  onTestFinished(() => client.end());
  const ask = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows;
  return { address, store, ask };
}

const worker = () => ({ id: "w", labels: [], now: new Date() });

async function claimOne(store: BenchStore, runId: string): Promise<Claim> {
  const answer = await store.claim(worker(), runId);
  if (answer.kind !== "claimed") throw new TypeError(`nothing to claim: ${answer.kind}`);
  return answer.claim;
}

const JOBS = "SELECT state::text FROM adjutant_bench_queue.job WHERE name = 'trials'";

test("a trial is a job of pg-boss, in the state of its trial", async () => {
  const { store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  expect(await ask(JOBS)).toEqual([{ state: "created" }]);
  const first = await claimOne(store, "r");
  expect(await ask(JOBS)).toEqual([{ state: "active" }]);
  await store.retry(first, new Date());
  expect(await ask(JOBS)).toEqual([{ state: "retry" }]);
  const second = await claimOne(store, "r");
  await store.complete(second, result({ ending: "passed", runId: "r" }));
  expect(await ask(JOBS)).toEqual([{ state: "completed" }]);
});

test("a result that cannot be written leaves job and trial as they were", async () => {
  const { store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  const claim = await claimOne(store, "r");
  await ask(`CREATE FUNCTION adjutant_bench.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON adjutant_bench.result
    FOR EACH ROW EXECUTE FUNCTION adjutant_bench.refuse()`);
  const passed = result({ ending: "passed", runId: "r" });
  await expect(store.complete(claim, passed)).rejects.toThrow("no");
  expect(await ask(JOBS)).toEqual([{ state: "active" }]);
  expect(await ask("SELECT state FROM adjutant_bench.trial")).toEqual([{ state: "claimed" }]);
  await ask("DROP TRIGGER refuse ON adjutant_bench.result");
  expect(await store.complete(claim, passed)).toBe(true);
});

test("what was done by a transaction whose end was not heard of is done when it is asked for again", async () => {
  const { store } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 2), []);
  const first = await claimOne(store, "r");
  expect(await store.retry(first, new Date())).toBe(true);
  expect(await store.retry(first, new Date())).toBe(true);
  const second = await claimOne(store, "r");
  const passed = result({ ending: "passed", runId: "r" });
  expect(await store.complete(second, passed)).toBe(true);
  expect(await store.complete(second, passed)).toBe(true);
  expect(await store.results("r")).toHaveLength(1);
});

test("a heartbeat is heard by the queue too, and keeps the trial", async () => {
  const { store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  const claim = await claimOne(store, "r");
  const past = `clock_timestamp() - interval '${HEARTBEAT_LAPSE_MS + 1_000} milliseconds'`;
  await ask(`UPDATE adjutant_bench.trial SET heartbeat_at = ${past};
    UPDATE adjutant_bench_queue.job SET heartbeat_on = ${past}`);
  expect(await store.heartbeat(claim)).toBe(true);
  expect(
    await ask(
      "SELECT id FROM adjutant_bench_queue.job WHERE heartbeat_on > now() - interval '5 s'",
    ),
  ).toHaveLength(1);
  expect((await store.claim(worker(), "r")).kind).toBe("wait");
});

test("a job that pg-boss took back counts for the worker that comes first with a result", async () => {
  const { store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  const claim = await claimOne(store, "r");
  await ask("UPDATE adjutant_bench_queue.job SET state = 'retry'");
  expect(await store.complete(claim, result({ ending: "passed", runId: "r" }))).toBe(true);
  expect(await ask(JOBS)).toEqual([{ state: "completed" }]);
});

test("a run cannot be made twice", async () => {
  const { store } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  await expect(store.createRun(runOf("r"), plansOf("r", 1), [])).rejects.toThrow("already");
});

test("thousands of trials with any text in them come back as they were", async () => {
  const { store } = await openFresh();
  const plans = plansOf("r", 1_200).map((plan) => ({
    ...plan,
    suiteFolder: "/a\u0000b \ud800 'quoted' \\ $1 🚀",
  }));
  await store.createRun(runOf("r"), plans, []);
  expect((await claimOne(store, "r")).plan).toEqual(plans[0]);
});

async function failureOf(address: string): Promise<Fault> {
  const error: unknown = await openBenchServer(address).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof Fault)) throw new TypeError(`no fault: ${error}`);
  return error;
}

const said = ({ message, hint, cause }: Fault): string =>
  [message, hint, cause instanceof Error ? cause.stack : "", JSON.stringify(cause)].join("\n");

test("what is wrong with an address is said without its password", async () => {
  const { address } = await openFresh();
  const place = new URL(address);
  const cases = [
    [address.replace(PASSWORD, "another-secret"), /password authentication failed/],
    [
      address.replace(/bench\d+$/, "nowhere"),
      /`postgres:\/\/127.0.0.1:\d+\/nowhere` cannot be used/,
    ],
    [address.replace(place.port, "1"), /the server does not answer \(ECONNREFUSED\)/],
    [`postgres://bench:${PASSWORD}@host:port/bench`, /`--store` is no address/],
  ] as const;
  for (const [wrong, message] of cases) {
    const failure = await failureOf(wrong);
    expect(failure.message).toMatch(message);
    expect(said(failure)).not.toMatch(new RegExp(`${PASSWORD}|another-secret`));
  }
});

test("tables of a newer Adjutant are left alone", async () => {
  const { address, ask } = await openFresh();
  await ask("UPDATE adjutant_bench.version SET version = 99");
  expect(await failureOf(address)).toMatchObject({ code: "StoreTooNew", facts: { found: 99 } });
});

test("a machine's time is told in the server's", () => {
  const clock = createServerClock();
  const now = Date.now();
  expect(clock.hear(now + 30, now)).toBe(false);
  expect(clock.toServer(new Date(5_000))).toBe(5_000);
  expect(clock.hear(now + 60_000, now)).toBe(true);
  expect(Math.abs(clock.toServer(new Date(5_000)) - 65_000)).toBeLessThan(500);
  expect(clock.hear(now + 90_000, now - 2_000)).toBe(false);
});
