import { expect, test } from "vitest";
import { exitCodeOf } from "../../../src/workflow/engine/census.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createRun, done, parallel, type TestScript, USAGE } from "./scripted-run.ts";

const fanOut =
  (count: number, order = (index: number) => index): TestScript =>
  ({ agent }) =>
    parallel(
      Array.from({ length: count }, (_, at) => () => {
        const index = order(at);
        return agent(`look at file ${index}`, {}, `parallel#0/${index}`);
      }),
    );

test("a finished run that is executed again asks nobody anything", async () => {
  const run = createRun(temporaryFolder());
  const first = await run.execute(fanOut(5));
  expect(first).toMatchObject({ kind: "done", census: { calls: 5, done: 5, failed: 0 } });
  expect(exitCodeOf(first)).toBe(0);
  expect(run.billed).toHaveLength(5);
  const second = await run.execute(fanOut(5));
  expect(run.billed).toHaveLength(5);
  expect(second).toEqual(first);
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "done", owner: null });
});

test("a script edited in the middle runs only what changed", async () => {
  const run = createRun(temporaryFolder());
  const script =
    (review: string): TestScript =>
    async ({ agent }) => {
      const plan = await agent("plan");
      const checked = await agent(review);
      return [plan, checked, await agent("summarise")];
    };
  await run.execute(script("review"));
  const ending = await run.execute(script("review twice"));
  expect(run.billed).toEqual(["plan", "review", "summarise", "review twice"]);
  expect(ending).toMatchObject({
    result: ["answer to plan", "answer to review twice", "answer to summarise"],
  });
});

test("labels, phases and the order of a schema's fields make no other call", async () => {
  const run = createRun(temporaryFolder(), { callAgent: async () => done("", { ok: true }) });
  const schema = { type: "object", properties: {} };
  await run.execute(({ agent }) => agent("a", { schema, label: "one", phase: "first" }));
  const turned = { properties: {}, type: "object" };
  await run.execute(({ agent }) => agent("a", { schema: turned, label: "two", agent: "claude" }));
  expect(run.billed).toHaveLength(1);
  await run.execute(({ agent }) => agent("a", { schema, effort: "high" }));
  await run.execute(({ agent }) => agent("a", { schema, agent: "codex" }));
  expect(run.billed).toHaveLength(3);
});

test("a fan-out that starts in another order, or stands elsewhere, answers from the journal", async () => {
  const run = createRun(temporaryFolder(), { atOnce: 3 });
  await run.execute(fanOut(20));
  await run.execute(fanOut(20, (at) => 19 - at));
  await run.execute(async ({ agent }) => {
    for (let index = 0; index < 20; index++) await agent(`look at file ${index}`, {}, "elsewhere");
  });
  expect(run.billed).toHaveLength(20);
});

test("equal calls of one place each have their own answer, and each answers once", async () => {
  let count = 0;
  const run = createRun(temporaryFolder(), { callAgent: async () => done(`draw ${++count}`) });
  const draws =
    (times: number): TestScript =>
    async ({ agent }) => {
      const drawn = [];
      for (let time = 0; time < times; time++) drawn.push(await agent("draw"));
      return drawn;
    };
  await run.execute(draws(2));
  const ending = await run.execute(draws(3));
  expect(ending).toMatchObject({ result: ["draw 1", "draw 2", "draw 3"] });
});

test("an early failure is null, is counted, and alone runs again", async () => {
  let isBroken = true;
  const run = createRun(temporaryFolder(), {
    callAgent: async ({ effect: { prompt } }) =>
      isBroken && prompt === "look at file 1"
        ? { kind: "failed", code: "AgentRunFailed", message: "it broke", usage: USAGE }
        : done(prompt),
  });
  const first = await run.execute(fanOut(10));
  expect(first).toMatchObject({ kind: "done", census: { done: 9, failed: 1 } });
  expect(first.kind === "done" && first.result).toContain(null);
  expect(exitCodeOf(first)).toBe(1);
  isBroken = false;
  const second = await run.execute(fanOut(10));
  expect(exitCodeOf(second)).toBe(0);
  expect(run.billed.slice(10)).toEqual(["look at file 1"]);
  expect(run.journal.readEntry(run.runId, 2)).toMatchObject({ starts: 2, status: "done" });
});

test("a failure of what the script no longer asks for does not count", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: async ({ effect: { prompt } }) =>
      prompt === "bad" ? { kind: "failed", code: "X", message: "no", usage: USAGE } : done(prompt),
  });
  expect(exitCodeOf(await run.execute(({ agent }) => agent("bad")))).toBe(1);
  expect(exitCodeOf(await run.execute(({ agent }) => agent("good")))).toBe(0);
});

test("the clock, the dice and the end of a sleep are those of the first time", async () => {
  const run = createRun(temporaryFolder());
  const script: TestScript = async ({ effect }) => [
    await effect({ kind: "now" }),
    await effect({ kind: "random" }),
    await effect({ kind: "sleep", ms: 1 }),
  ];
  const first = await run.execute(script);
  expect(await run.execute(script)).toEqual(first);
});

test("a script that throws fails, and keeps what was finished", async () => {
  const run = createRun(temporaryFolder());
  const ending = await run.execute(async ({ agent }) => {
    await agent("one");
    throw new Error("no such thing");
  });
  expect(ending).toMatchObject({ kind: "failed", reason: "no such thing", census: { done: 1 } });
  expect(exitCodeOf(ending)).toBe(1);
  await run.execute(({ agent }) => agent("one"));
  expect(run.billed).toEqual(["one"]);
});

test("a workflow inside another shares the journal and starts none itself", async () => {
  const child: TestScript = async ({ agent, runChild }) => [
    await agent("inside"),
    await runChild("child", undefined, "").then((ending) => ending.kind),
  ];
  const run = createRun(temporaryFolder(), { children: { child } });
  const script: TestScript = async ({ agent, runChild }) => {
    await agent("inside");
    const [first, second] = [await runChild("child", 1, ""), await runChild("child", 1, "")];
    const missing = await runChild("nobody", null, "");
    return JSON.stringify([first, second, missing.kind]);
  };
  const first = await run.execute(script);
  expect(await run.execute(script)).toEqual(first);
  expect(run.billed).toHaveLength(3);
  expect(first).toMatchObject({
    result: JSON.stringify([
      { kind: "returned", value: ["answer to inside", "threw"] },
      { kind: "returned", value: ["answer to inside", "threw"] },
      "threw",
    ]),
  });
  const paths = run.journal.listEntries(run.runId).map(({ path }) => path);
  expect(paths).toEqual(["", "workflow:child#0/", "workflow:child#1/"]);
});
