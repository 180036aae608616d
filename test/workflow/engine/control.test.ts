import { expect, test } from "vitest";
import { exitCodeOf } from "../../../src/workflow/engine/census.ts";
import { requestPause, requestSkip, requestStop } from "../../../src/workflow/engine/control.ts";
import type { AgentCall, AgentCallEnding } from "../../../src/workflow/engine/effect.ts";
import { startFixture } from "../../core/store/fixture-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createRun, done, parallel, type TestScript, untilCancelled } from "./scripted-run.ts";

const FIXTURE = "../../../workflow/engine/fixtures/request.ts";

/** From a real process of its own. */
async function request(stateDir: string, ...args: readonly (string | number)[]): Promise<unknown> {
  const { nextLine, ended } = startFixture(FIXTURE, { args: [stateDir, ...args.map(String)] });
  const answer = JSON.parse(await nextLine());
  await ended;
  return answer;
}

/** Answers a call when the test says so. */
function createHeldModel() {
  const held = new Map<string, (ending: AgentCallEnding) => void>();
  const callAgent = ({ effect, signal }: AgentCall) =>
    new Promise<AgentCallEnding>((resolve) => {
      held.set(effect.prompt, resolve);
      signal.addEventListener("abort", () => resolve({ kind: "cancelled", usage: noUsage }));
    });
  return { held, callAgent };
}

const noUsage = { inputTokens: null, outputTokens: null, totalTokens: null, costUsd: null };

const three: TestScript = ({ agent }) =>
  parallel(["a", "b", "c"].map((name) => () => agent(name, {}, name)));

test("paused from another process, calls under way go on and none starts until it is lifted", async () => {
  const folder = temporaryFolder();
  const { held, callAgent } = createHeldModel();
  const run = createRun(folder, { callAgent, atOnce: 1 });
  const ended = run.execute(three);
  await waitUntil(() => held.has("a"));
  expect(await request(folder, "pause", run.runId)).toEqual({ kind: "soon" });
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "paused");
  held.get("a")?.(done("a"));
  await waitUntil(() => run.journal.readEntry(run.runId, 1)?.status === "done");
  expect(run.billed).toEqual(["a"]);
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "paused" });

  expect(await request(folder, "resume", run.runId)).toEqual({ kind: "soon" });
  for (const name of ["b", "c"]) {
    await waitUntil(() => held.has(name));
    expect(run.journal.readRun(run.runId)).toMatchObject({ status: "running" });
    held.get(name)?.(done(name));
  }
  expect(await ended).toMatchObject({ kind: "done", result: ["a", "b", "c"] });
});

test("stopped from another process, it ends its calls, and a resume takes them up", async () => {
  const folder = temporaryFolder();
  let isStuck = true;
  const run = createRun(folder, {
    callAgent: async (call) => {
      if (call.effect.prompt === "a" || !isStuck) return done(call.effect.prompt);
      call.onConversation(`conversation of ${call.effect.prompt}`);
      call.onWorktree({ path: "/tree", branch: "wf", base: "abc" });
      return untilCancelled(call);
    },
  });
  const ended = run.execute(three);
  await waitUntil(() => run.billed.length === 3);
  expect(await request(folder, "stop", run.runId)).toEqual({ kind: "soon" });
  const ending = await ended;
  expect(ending).toMatchObject({ kind: "stopped", reason: "somebody stopped it" });
  expect(exitCodeOf(ending)).toBe(3);
  const entries = run.journal.listEntries(run.runId);
  expect(entries.map(({ status }) => status)).toEqual(["done", "stopped", "stopped"]);

  isStuck = false;
  const calls = run.calls.splice(0);
  const second = await run.execute(three);
  expect(second).toMatchObject({ kind: "done", result: ["a", "b", "c"] });
  expect(second.census.startedAgain).toEqual([
    { number: 2, starts: 2 },
    { number: 3, starts: 2 },
  ]);
  expect(run.calls.map(({ effect, isTakenUp }) => [effect.prompt, isTakenUp])).toEqual([
    ["b", true],
    ["c", true],
  ]);
  expect(run.calls.map(({ sessionId }) => sessionId)).toEqual(
    calls.slice(1).map(({ sessionId }) => sessionId),
  );
  expect(run.calls[0]?.worktree).toEqual({ path: "/tree", branch: "wf", base: "abc" });
});

test("a call skipped from another process is null, and stays so until it is wanted again", async () => {
  const folder = temporaryFolder();
  let isStuck = true;
  const run = createRun(folder, {
    callAgent: (call) =>
      isStuck && call.effect.prompt === "b"
        ? untilCancelled(call)
        : Promise.resolve(done(call.effect.prompt)),
  });
  const ended = run.execute(three);
  await waitUntil(() => run.billed.length === 3);
  expect(await request(folder, "skip", run.runId, 2)).toEqual({ kind: "soon" });
  const ending = await ended;
  expect(ending).toMatchObject({ kind: "done", result: ["a", null, "c"], census: { skipped: 1 } });
  expect(exitCodeOf(ending)).toBe(1);
  isStuck = false;
  expect(await run.execute(three)).toMatchObject({ result: ["a", null, "c"] });
  expect(run.billed).toHaveLength(3);
  expect(await request(folder, "retry", run.runId, 2)).toEqual({ kind: "at-resume" });
  expect(await run.execute(three)).toMatchObject({ result: ["a", "b", "c"] });
  expect(run.billed.slice(3)).toEqual(["b"]);
});

test("a call that is under way starts anew when another process wants it again", async () => {
  const folder = temporaryFolder();
  let starts = 0;
  const run = createRun(folder, {
    callAgent: (call) =>
      call.effect.prompt === "b" && ++starts === 1
        ? untilCancelled(call)
        : Promise.resolve(done(call.effect.prompt)),
  });
  const ended = run.execute(three);
  await waitUntil(() => starts === 1);
  expect(await request(folder, "retry", run.runId, 2)).toEqual({ kind: "soon" });
  expect(await ended).toMatchObject({ kind: "done", result: ["a", "b", "c"] });
  const [first, again] = run.calls.filter(({ effect }) => effect.prompt === "b");
  expect(again).toMatchObject({ isTakenUp: false });
  expect(again?.sessionId).not.toBe(first?.sessionId);
  expect(run.journal.readEntry(run.runId, 2)).toMatchObject({ starts: 2, requested: null });
});

test("a call that the workflow has not come to again is skipped before it does", async () => {
  const { held, callAgent } = createHeldModel();
  const run = createRun(temporaryFolder(), { callAgent });
  const leaving = new AbortController();
  const script: TestScript = async ({ agent }) => [await agent("a"), await agent("b")];
  const left = run.execute(({ agent }) => agent("b"), { signal: leaving.signal });
  await waitUntil(() => held.has("b"));
  leaving.abort();
  await left;
  const ended = run.execute(script);
  await waitUntil(() => held.has("a"));
  expect(requestSkip(run.journal, run.runId, 1)).toEqual({ kind: "soon" });
  await waitUntil(() => run.journal.readEntry(run.runId, 1)?.status === "skipped");
  held.get("a")?.(done("a"));
  expect(await ended).toMatchObject({ result: ["a", null] });
  expect(run.billed).toEqual(["b", "a"]);
});

test("a call that waits for its quota can be skipped", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: async () => ({ kind: "quota", until: null, message: "", usage: noUsage }),
    backoffMs: [3_600_000],
  });
  const ended = run.execute(({ agent }) => agent("a"));
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  requestSkip(run.journal, run.runId, 1);
  expect(await ended).toMatchObject({ kind: "done", result: null, census: { skipped: 1 } });
});

test("a stop before a failed call was started again leaves it failed", async () => {
  let isBroken = true;
  const { held, callAgent } = createHeldModel();
  const run = createRun(temporaryFolder(), {
    atOnce: 1,
    callAgent: async (call) =>
      isBroken ? { kind: "failed", code: "X", message: "no", usage: noUsage } : callAgent(call),
  });
  await run.execute(({ agent }) => agent("b"));
  isBroken = false;
  const ended = run.execute(three);
  await waitUntil(() => held.has("a"));
  requestStop(run.journal, run.runId);
  await ended;
  const entries = run.journal.listEntries(run.runId);
  expect(entries.map(({ status }) => status)).toEqual(["failed", "stopped"]);
});

test("a second coordinator is refused and told who has the run, in this process and in another", async () => {
  const folder = temporaryFolder();
  const { held, callAgent } = createHeldModel();
  const run = createRun(folder, { callAgent });
  const ended = run.execute(({ agent }) => agent("a"));
  await waitUntil(() => held.has("a"));
  await expect(run.execute(three)).rejects.toMatchObject({
    code: "RunTaken",
    message: `run \`${run.runId}\` is under way already, in process ${process.pid}`,
  });
  expect(await request(folder, "claim", run.runId)).toMatchObject({
    kind: "held",
    by: { pid: process.pid },
  });
  held.get("a")?.(done("a"));
  expect(await ended).toMatchObject({ kind: "done" });
});

test("a dead owner's run is taken over", async () => {
  const folder = temporaryFolder();
  const run = createRun(folder);
  expect(await request(folder, "claim", run.runId)).toEqual({ kind: "claimed" });
  expect(await run.execute(three)).toMatchObject({ kind: "done" });
});

test("what its process leaves is taken up by the next", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: (call) =>
      call.isTakenUp ? Promise.resolve(done("taken up")) : untilCancelled(call),
  });
  const leaving = new AbortController();
  const ended = run.execute(({ agent }) => agent("long"), { signal: leaving.signal });
  await waitUntil(() => run.billed.length === 1);
  leaving.abort();
  const ending = await ended;
  expect(ending).toMatchObject({ kind: "left" });
  expect(exitCodeOf(ending)).toBe(3);
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "running", owner: null });
  expect(await run.execute(({ agent }) => agent("long"))).toMatchObject({ result: "taken up" });
});

test("without an owner a run is paused and stopped at once, and what has ended is not", async () => {
  const run = createRun(temporaryFolder());
  expect(requestPause(run.journal, run.runId)).toEqual({ kind: "now" });
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "paused" });
  expect(requestStop(run.journal, run.runId)).toEqual({ kind: "now" });
  expect(() => requestStop(run.journal, run.runId)).toThrow("has ended: stopped");
  expect(() => requestSkip(run.journal, run.runId, 7)).toThrow("has no call 7");
  expect(() => requestPause(run.journal, "wf_none")).toThrow("there is no run `wf_none`");
  await run.execute(({ agent }) => agent("one"));
  expect(() => requestSkip(run.journal, run.runId, 1)).toThrow("call 1");
});
