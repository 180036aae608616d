import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgresBench } from "../../../src/bench/store/postgres.ts";
import {
  type BenchStore,
  HEARTBEAT_LAPSE_MS,
  type TrialClaim,
} from "../../../src/bench/store/store.ts";
import { Fault } from "../../../src/core/command/fault.ts";
import { longTest } from "../../support/tier.ts";
import { result } from "../report/results.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { startFilePostgres } from "./file-postgres.ts";
import { plansOf, runOf } from "./plans.ts";
import { PASSWORD } from "./postgres-server.ts";

const server = await startFilePostgres();

async function openFresh() {
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address);
  onTestFinished(() => store.close());
  const client = new Client({ connectionString: address });
  await client.connect();
  onTestFinished(() => client.end());
  const ask = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows;
  return { address, store, ask };
}

const worker = () => ({ id: "w", labels: [], now: new Date() });

async function claimOne(store: BenchStore, runId: string): Promise<TrialClaim> {
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
  expect(await ask("SELECT key FROM adjutant_bench.trial WHERE job_id IS NOT NULL")).toHaveLength(
    1,
  );
  await ask("DROP TRIGGER refuse ON adjutant_bench.result");
  expect(await store.complete(claim, passed)).toBe(true);
});

test("a transaction whose end was not heard of is done once, whatever it was", async () => {
  const { address } = await openFresh();
  const cut = await openCuttingProxy(Number(new URL(address).port));
  onTestFinished(() => cut.close());
  const store = await openPostgresBench(address.replace(/:\d+\//, `:${cut.port}/`));
  onTestFinished(() => store.close());
  cut.nextCommit();
  await store.createRun(runOf("r"), plansOf("r", 2), []);
  cut.nextCommit();
  const first = await claimOne(store, "r");
  expect(first).toMatchObject({ attempt: 1, plan: { key: "a/x/1" } });
  cut.nextCommit();
  expect(await store.retry(first, new Date())).toBe(true);
  const second = await claimOne(store, "r");
  expect(second).toMatchObject({ attempt: 2, plan: { key: "a/x/1" } });
  cut.nextCommit();
  expect(await store.complete(second, result({ ending: "passed", runId: "r" }))).toBe(true);
  expect(cut.cuts()).toBe(4);
  expect(await store.results("r")).toHaveLength(1);
});

test("a heartbeat is heard by the queue too, and keeps the trial", async () => {
  const { store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  const claim = await claimOne(store, "r");
  const past = `clock_timestamp() - interval '${HEARTBEAT_LAPSE_MS + 1_000} milliseconds'`;
  await ask(`UPDATE adjutant_bench_queue.job SET heartbeat_on = ${past}`);
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
  const error: unknown = await openPostgresBench(address).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof Fault)) throw new TypeError(`no fault: ${error}`);
  return error;
}

const said = ({ message, hint, cause }: Fault): string =>
  [message, hint, cause instanceof Error ? cause.stack : "", JSON.stringify(cause)].join("\n");

longTest("what is wrong with an address is said without its password", async () => {
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

test("a machine whose clock is wrong by hours loses no trial and takes none away", async () => {
  const { store } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 1), []);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const claim = await claimOne(store, "r");
  expect((await store.claim(worker(), "r")).kind).toBe("wait");
  expect(await store.heartbeat(claim)).toBe(true);
  await store.retry(claim, new Date());
  expect(await claimOne(store, "r")).toMatchObject({ attempt: 2 });
});

test("tables of 0.1.0 are brought along with the trials that wait in them", async () => {
  const { address, store, ask } = await openFresh();
  await store.createRun(runOf("r"), plansOf("r", 3), []);
  const first = await claimOne(store, "r");
  await store.complete(first, result({ ending: "passed", runId: "r" }));
  await claimOne(store, "r");
  await ask(`${TABLES_OF_0_1_0}; UPDATE adjutant_bench_queue.job SET group_id = NULL`);
  const later = await openPostgresBench(address);
  onTestFinished(() => later.close());
  expect(await claimOne(later, "r")).toMatchObject({ attempt: 1, plan: { key: "a/x/3" } });
  const afterLapse = new Date(Date.now() + HEARTBEAT_LAPSE_MS + 1_000);
  const lapsed = await later.claim({ ...worker(), now: afterLapse }, "r");
  expect(lapsed).toMatchObject({ kind: "claimed", claim: { attempt: 2, plan: { key: "a/x/2" } } });
  expect(await later.results("r")).toHaveLength(1);
});

/** What the tables of trials were before jobs were the queue's alone. */
const TABLES_OF_0_1_0 = `
  DROP INDEX adjutant_bench.trial_open, adjutant_bench.trial_job;
  ALTER TABLE adjutant_bench.trial ADD COLUMN state text, ADD COLUMN attempt integer NOT NULL DEFAULT 0,
    ADD COLUMN not_before timestamptz NOT NULL DEFAULT '-infinity', ADD COLUMN token text,
    ADD COLUMN worker text, ADD COLUMN heartbeat_at timestamptz, ADD COLUMN started_at timestamptz;
  UPDATE adjutant_bench.trial SET state = CASE WHEN job_id IS NULL THEN 'done' ELSE 'queued' END,
    job_id = coalesce(job_id, gen_random_uuid());
  ALTER TABLE adjutant_bench.trial ALTER COLUMN state SET NOT NULL, ALTER COLUMN job_id SET NOT NULL;
  CREATE INDEX trial_queued ON adjutant_bench.trial (run_id, place) WHERE state = 'queued';
  CREATE INDEX trial_claimed ON adjutant_bench.trial (run_id) WHERE state = 'claimed';
  CREATE INDEX trial_begun ON adjutant_bench.trial (started_at);
  UPDATE adjutant_bench.version SET version = 2`;

test("a server that is away is told once, and once that it is back", async () => {
  const notes: string[] = [];
  const address = await server.makeDatabase();
  const store = await openPostgresBench(address, { note: (text) => notes.push(text) });
  onTestFinished(() => store.close());
  await server.stop();
  const found = Promise.all([store.listRuns(null), store.listRuns(null)]);
  await vi.waitUntil(() => notes.length > 0, { timeout: 20_000 });
  await server.start();
  expect(await found).toEqual([[], []]);
  expect(notes).toEqual([
    expect.stringMatching(/^server `.+` is away, retrying$/),
    expect.stringMatching(/^server `.+` is back$/),
  ]);
  expect(notes.join()).not.toContain(PASSWORD);
}, 60_000);
