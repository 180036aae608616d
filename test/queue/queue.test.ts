// The queue with work of its own kind: a table with a column for the job, and a query that says which is next.
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { numberIn } from "../../src/core/store/row.ts";
import { openQueue, type Queue } from "../../src/queue/queue.ts";
import { connectServer, persist, type Queryable, type Server } from "../../src/queue/server.ts";
import { startFilePostgres } from "../bench/store/file-postgres.ts";

const postgres = await startFilePostgres();

const HEARTBEAT_SECONDS = 10;
const AFTER_SILENCE_MS = HEARTBEAT_SECONDS * 1_000 + 500;

interface Opened {
  readonly server: Server;
  readonly queue: Queue;
}

async function openErrands(count: number): Promise<Opened> {
  const server = connectServer(await postgres.makeDatabase(), {
    application: "errands",
    signal: new AbortController().signal,
  });
  onTestFinished(() => server.close());
  const queue = await openQueue(server, {
    schema: "errand_queue",
    name: "errands",
    heartbeatSeconds: HEARTBEAT_SECONDS,
  });
  onTestFinished(() => queue.close());
  await server.query("CREATE TABLE errand (number integer, job_id uuid, is_done boolean)");
  const jobs = Array.from({ length: count }, (_, at) => ({
    id: randomUUID(),
    number: at + 1,
    group: "errand",
  }));
  await server.transact(async (inside) => {
    for (const { id, number } of jobs)
      await inside.query("INSERT INTO errand VALUES ($1, $2, false)", [number, id]);
    await queue.enqueue(inside, jobs);
  });
  return { server, queue };
}

/** Two at a time, the first one first. */
const chooseErrand =
  ({ queue }: Opened) =>
  async (inside: Queryable) => {
    const [row] = await inside.query(
      `SELECT number FROM errand JOIN ${queue.jobs} AS job ON job.id = errand.job_id
       WHERE job.state < 'active' AND job.start_after <= clock_timestamp()
         AND 2 > (SELECT count(*) FROM ${queue.jobs} WHERE state = 'active')
       ORDER BY number LIMIT 1`,
    );
    return row === undefined ? null : { number: numberIn(row, "number") };
  };

async function claimErrand(opened: Opened, aheadMs = 0) {
  const claimed = await opened.queue.claim(chooseErrand(opened), aheadMs);
  if (claimed === null) throw new TypeError("no errand");
  return claimed;
}

test("the caller's choice holds for those who come at once", async () => {
  const opened = await openErrands(6);
  const claims = await Promise.all(
    Array.from({ length: 6 }, () => opened.queue.claim(chooseErrand(opened))),
  );
  expect(claims.flatMap((claim) => claim?.chosen.number ?? [])).toEqual([1, 2]);
});

test("a job is completed with the caller's own change, or not at all", async () => {
  const { server, queue } = await openErrands(1);
  const { job } = await claimErrand({ server, queue });
  const bringOff = async (inside: Queryable): Promise<boolean> => {
    const isHeld = await queue.complete(inside, job);
    await inside.query("UPDATE errand SET is_done = true");
    return isHeld;
  };
  const failing = server.transact(async (inside) => {
    await bringOff(inside);
    throw new Error("not yet");
  });
  await expect(failing).rejects.toThrow("not yet");
  expect(await queue.heartbeat(job)).toBe(true);
  expect(await server.query("SELECT number FROM errand WHERE is_done")).toEqual([]);
  expect(await server.transact(bringOff)).toBe(true);
  expect(await queue.heartbeat(job)).toBe(false);
  expect(await server.transact((inside) => queue.complete(inside, job))).toBe(false);
});

test("whoever fell silent has lost the job to the next, who knows it as another try", async () => {
  const opened = await openErrands(1);
  const silent = await claimErrand(opened);
  const second = await claimErrand(opened, AFTER_SILENCE_MS);
  expect([silent.job.attempt, second.job.attempt]).toEqual([1, 2]);
  expect(await opened.queue.heartbeat(silent.job)).toBe(false);
  const complete = (job: typeof silent.job) =>
    opened.server.transact((inside) => opened.queue.complete(inside, job));
  expect(await complete(silent.job)).toBe(false);
  expect(await complete(second.job)).toBe(true);
});

test("a job given back is tried again when its time has come; cut off, it was never tried", async () => {
  const { server, queue } = await openErrands(1);
  const requeue = async (how: { delayMs: number; isTried: boolean }) => {
    const { job } = await claimErrand({ server, queue });
    expect(await server.transact((inside) => queue.requeue(inside, job, how))).toBe(true);
    return job.attempt;
  };
  expect(await requeue({ delayMs: 0, isTried: false })).toBe(1);
  expect(await requeue({ delayMs: 0, isTried: true })).toBe(1);
  expect(await requeue({ delayMs: 0, isTried: false })).toBe(2);
  expect(await requeue({ delayMs: 600_000, isTried: true })).toBe(2);
  expect(await queue.claim(chooseErrand({ server, queue }))).toBeNull();
});

test("a job that is cancelled is no longer held, and what its worker brings still counts", async () => {
  const { server, queue } = await openErrands(1);
  const { job } = await claimErrand({ server, queue });
  await server.transact((inside) => queue.cancel(inside, [job.id]));
  expect(await queue.heartbeat(job)).toBe(false);
  expect(await server.transact((inside) => queue.complete(inside, job))).toBe(true);
});

test("a transaction is done again of which a crash left nothing, not even its number", async () => {
  const { server, queue } = await openErrands(1);
  const { job } = await claimErrand({ server, queue });
  let tries = 0;
  const complete = async (inside: Queryable): Promise<boolean> => {
    tries += 1;
    if (tries > 1) return queue.complete(inside, job);
    await postgres.crash();
    await postgres.start();
    return false;
  };
  expect(await persist(server, () => server.transact(complete))).toBe(true);
  expect(tries).toBe(2);
});
