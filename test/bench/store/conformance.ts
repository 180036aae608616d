// What every store must do, whatever it is made of.
import { beforeEach, expect, test } from "vitest";
import type {
  BenchStore,
  ClaimingWorker,
  SuiteRunRecord,
  TrialClaim,
} from "../../../src/bench/store/store.ts";
import { HEARTBEAT_LAPSE_MS } from "../../../src/bench/store/store.ts";
import type { TrialPlan } from "../../../src/bench/suite/trial.ts";
import { result } from "../report/results.ts";
import { AGENT, plansOf, runOf } from "./plans.ts";

const worker = (given: Partial<ClaimingWorker> = {}): ClaimingWorker => ({
  id: "w",
  labels: [],
  now: new Date(),
  ...given,
});

const resultOf = ({ plan }: TrialClaim, given = {}) =>
  result({
    ending: "passed",
    runId: plan.runId,
    key: plan.key,
    caseId: plan.case.id,
    agentId: plan.agent.id,
    repetition: plan.repetition,
    fingerprint: plan.fingerprint,
    ...given,
  });

async function claimOne(store: BenchStore, runId: string, facts = worker()): Promise<TrialClaim> {
  const answer = await store.claim(facts, runId);
  if (answer.kind !== "claimed") throw new TypeError(`nothing to claim: ${answer.kind}`);
  return answer.claim;
}

let count = 0;
const freshId = (): string => `run-${process.pid}-${++count}`;

export function describeStore(open: () => Promise<BenchStore> | BenchStore): void {
  let store: BenchStore;
  beforeEach(async () => {
    store = await open();
    return () => store.close();
  });

  async function start(plans: (runId: string) => TrialPlan[], given: Partial<SuiteRunRecord> = {}) {
    const runId = freshId();
    await store.createRun(runOf(runId, given), plans(runId), []);
    return runId;
  }

  test("trials are handed out in the order of the plan, each once", async () => {
    const runId = await start((id) => plansOf(id, 3));
    const claims = [];
    for (let at = 0; at < 3; at++) claims.push(await claimOne(store, runId));
    expect(claims.map(({ plan }) => plan.repetition)).toEqual([1, 2, 3]);
    expect(claims.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
  });

  test("a run is finished when every trial has its result", async () => {
    const runId = await start((id) => plansOf(id, 2));
    for (let at = 0; at < 2; at++) {
      const claim = await claimOne(store, runId);
      expect(await store.complete(claim, resultOf(claim))).toBe(true);
    }
    expect(await store.claim(worker(), runId)).toEqual({ kind: "finished" });
    const results = await store.results(runId);
    expect(results.map(({ key }) => key)).toEqual(["a/x/1", "a/x/2"]);
    await store.finishRun(runId, "2026-01-02T00:00:00.000Z");
    expect(await store.findRun(runId)).toMatchObject({
      state: "done",
      finishedAt: "2026-01-02T00:00:00.000Z",
    });
  });

  test("results that are known already are not run again", async () => {
    const runId = freshId();
    const plans = plansOf(runId, 2);
    const known = result({
      ending: "failed",
      runId,
      key: "a/x/1",
      repetition: 1,
      reusedFrom: "older",
    });
    await store.createRun(runOf(runId), plans, [known]);
    expect((await claimOne(store, runId)).plan.key).toBe("a/x/2");
    expect(await store.results(runId)).toEqual([known]);
  });

  test("who fell silent loses the trial, and what he then brings does not count", async () => {
    const runId = await start((id) => plansOf(id, 1));
    const silent = await claimOne(store, runId);
    const later = worker({ id: "other", now: new Date(Date.now() + HEARTBEAT_LAPSE_MS + 1_000) });
    const second = await claimOne(store, runId, later);
    expect(second.attempt).toBe(2);
    expect(await store.heartbeat(silent)).toBe(false);
    expect(await store.complete(silent, resultOf(silent, { ending: "failed" }))).toBe(false);
    expect(await store.complete(second, resultOf(second))).toBe(true);
    expect((await store.results(runId)).map(({ ending }) => ending)).toEqual(["passed"]);
  });

  test("a heartbeat keeps the trial", async () => {
    const runId = await start((id) => plansOf(id, 1));
    const old = worker({ now: new Date(Date.now() - HEARTBEAT_LAPSE_MS - 1_000) });
    const claim = await claimOne(store, runId, old);
    expect(await store.heartbeat(claim)).toBe(true);
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
  });

  test("a trial given back waits for its time", async () => {
    const runId = await start((id) => plansOf(id, 1));
    const claim = await claimOne(store, runId);
    const soon = new Date(Date.now() + 60_000);
    expect(await store.retry(claim, soon)).toBe(true);
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
    const later = worker({ now: new Date(soon.getTime() + 1_000) });
    const second = await claimOne(store, runId, later);
    expect(second).toMatchObject({ attempt: 2, plan: { key: "a/x/1" } });
    expect(await store.complete(claim, resultOf(claim))).toBe(false);
  });

  test("a trial that is given back was never tried", async () => {
    const runId = await start((id) => plansOf(id, 1));
    const claim = await claimOne(store, runId);
    expect(await store.giveBack(claim)).toBe(true);
    expect(await claimOne(store, runId)).toMatchObject({ attempt: 1, plan: { key: "a/x/1" } });
    expect(await store.complete(claim, resultOf(claim))).toBe(false);
  });

  test("the run's limit holds over all workers", async () => {
    const runId = await start((id) => plansOf(id, 3), { concurrency: 2 });
    const first = await claimOne(store, runId, worker({ id: "one" }));
    await claimOne(store, runId, worker({ id: "two" }));
    expect((await store.claim(worker({ id: "three" }), runId)).kind).toBe("wait");
    await store.complete(first, resultOf(first));
    expect((await claimOne(store, runId)).plan.repetition).toBe(3);
  });

  test("an agent's own limit leaves the others running", async () => {
    const slow = { ...AGENT, id: `slow-${freshId()}`, concurrency: 1 };
    const runId = await start((id) => [...plansOf(id, 2, { agent: slow }), ...plansOf(id, 1)]);
    expect((await claimOne(store, runId)).plan.agent.id).toBe(slow.id);
    expect((await claimOne(store, runId)).plan.agent.id).toBe("x");
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
  });

  test("an agent's rate holds for a minute", async () => {
    const slow = { ...AGENT, id: `rated-${freshId()}`, ratePerMinute: 1 };
    const runId = await start((id) => plansOf(id, 2, { agent: slow }));
    await claimOne(store, runId);
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
    const later = worker({ now: new Date(Date.now() + 61_000) });
    expect((await store.claim(later, runId)).kind).toBe("claimed");
  });

  test("a trial goes only to a worker with its labels", async () => {
    const runId = await start((id) => plansOf(id, 1, { labels: ["gpu"] }));
    expect((await store.claim(worker(), runId)).kind).toBe("wait");
    const fitting = worker({ labels: ["mac", "gpu"] });
    expect((await store.claim(fitting, runId)).kind).toBe("claimed");
  });

  test("past the budget a trial is handed out to be ended, not to be run", async () => {
    const runId = await start((id) => plansOf(id, 2), { usdLimit: 1 });
    const first = await claimOne(store, runId);
    expect(first.isOverBudget).toBe(false);
    await store.complete(first, resultOf(first, { costUsd: 1.5 }));
    expect((await claimOne(store, runId)).isOverBudget).toBe(true);
  });

  test("a cancelled run hands out nothing, and tells who works on it", async () => {
    const runId = await start((id) => plansOf(id, 2));
    const claim = await claimOne(store, runId);
    await store.cancelRun(runId);
    expect(await store.heartbeat(claim)).toBe(false);
    expect(await store.claim(worker(), runId)).toEqual({ kind: "finished" });
    expect(await store.complete(claim, resultOf(claim, { ending: "cancelled" }))).toBe(true);
    await store.finishRun(runId, "2026-01-02T00:00:00.000Z");
    expect((await store.findRun(runId))?.state).toBe("cancelled");
  });

  test("known results are found by their fingerprint, what could not run is not", async () => {
    const runId = freshId();
    const plans = plansOf(runId, 2).map((plan) => ({
      ...plan,
      fingerprint: `${runId}-${plan.repetition}`,
    }));
    await store.createRun(runOf(runId), plans, []);
    const first = await claimOne(store, runId);
    await store.complete(first, resultOf(first));
    const second = await claimOne(store, runId);
    await store.complete(second, resultOf(second, { ending: "infra" }));
    const known = await store.findKnown(plans.map(({ fingerprint }) => fingerprint));
    expect(known.map(({ key }) => key)).toEqual(["a/x/1"]);
  });

  test("content comes back by its hash, and unknown content does not", async () => {
    const bytes = new Uint8Array([0, 1, 255, 10]);
    const hash = await store.putContent(bytes);
    expect(await store.putContent(bytes)).toBe(hash);
    expect([...((await store.getContent(hash)) ?? [])]).toEqual([...bytes]);
    expect(await store.getContent("0".repeat(64))).toBeNull();
  });

  test("a run that is removed takes with it what nothing else needs", async () => {
    const keep = async (text: string) => store.putContent(Buffer.from(`${freshId()} ${text}`));
    const [own, shared, file, young] = await Promise.all(["a", "b", "c", "d"].map(keep));
    const withFiles = (id: string) =>
      plansOf(id, 1).map((plan) => ({ ...plan, files: { "a.sh": `${file}:x` } }));
    const gone = await start((id) => plansOf(id, 1));
    const stays = await start(withFiles);
    const [first, second] = [await claimOne(store, gone), await claimOne(store, stays)];
    await store.complete(first, resultOf(first, { artifacts: { own, shared } }));
    await store.complete(second, resultOf(second, { artifacts: { shared } }));
    const holds = async (hash = "") => (await store.getContent(hash)) !== null;

    await store.removeRun(gone, new Date(Date.now() - 60_000));
    expect(await store.findRun(gone)).toBeNull();
    expect(await store.results(gone)).toEqual([]);
    expect(await Promise.all([own, shared, file, young].map(holds))).toEqual(Array(4).fill(true));

    await store.removeRun(gone, new Date(Date.now() + 60_000));
    expect(await Promise.all([own, shared, file, young].map(holds))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(await store.results(stays)).toHaveLength(1);
  });

  test("runs are listed in the order they began", async () => {
    const suite = freshId();
    const first = await start((id) => plansOf(id, 1), { suite });
    const second = await start((id) => plansOf(id, 1), {
      suite,
      startedAt: "2026-01-03T00:00:00.000Z",
    });
    expect((await store.listRuns(suite)).map(({ id }) => id)).toEqual([first, second]);
  });

  test("many workers at once take every trial exactly once", async () => {
    const runId = await start((id) => plansOf(id, 60));
    const taken: string[] = [];
    const work = async (id: string): Promise<void> => {
      for (;;) {
        const answer = await store.claim(worker({ id }), runId);
        if (answer.kind !== "claimed") return;
        taken.push(answer.claim.plan.key);
        await store.complete(answer.claim, resultOf(answer.claim));
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => work(`w${at}`)));
    expect(new Set(taken).size).toBe(60);
    expect(await store.results(runId)).toHaveLength(60);
  });
}
