import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodeOf } from "../../../src/workflow/engine/census.ts";
import type { WorkflowForms } from "../../../src/workflow/engine/forms.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ManualClock } from "./manual-clock.ts";
import {
  agentEffect,
  createRun,
  done,
  parallel,
  type TestScript,
  USAGE,
  untilCancelled,
} from "./scripted-run.ts";

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

test("the clock, the dice and what was found on the disk are those of the first time", async () => {
  const file = join(temporaryFolder(), "PLAN.md");
  const run = createRun(temporaryFolder());
  const script: TestScript = async ({ effect }) => [
    await effect({ kind: "file", path: file }),
    await effect({ kind: "now" }),
    await effect({ kind: "random" }),
    await effect({ kind: "sleep", ms: 1 }),
    await effect({ kind: "command", name: "test", args: ["--all"] }),
  ];
  const first = await run.execute(script);
  writeFileSync(file, "");
  expect(await run.execute(script)).toEqual(first);
  const command = { exitCode: 0, output: "", errorOutput: "", metadata: null };
  const numbers = [expect.any(Number), expect.any(Number)];
  expect(first).toMatchObject({ result: [false, ...numbers, null, command] });
});

test("a sleep that is taken up sleeps only the rest", async () => {
  const clock = new ManualClock();
  const run = createRun(temporaryFolder(), { clock });
  const leaving = new AbortController();
  const script: TestScript = ({ effect }) => effect({ kind: "sleep", ms: 3_600_000 });
  const left = run.execute(script, { signal: leaving.signal });
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  expect(run.journal.readRun(run.runId)?.waitingUntil).toBe("2026-11-17T13:00:00.000Z");
  leaving.abort();
  expect(await left).toMatchObject({ kind: "left" });
  clock.advance(3_000_000);
  const ended = run.execute(script);
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  clock.advance(600_000);
  expect(await ended).toMatchObject({ kind: "done", result: null });
});

test("a secret in an answer reaches the script and no file, and is asked for again by who resumes", async () => {
  const token = "quite a private word 271828";
  const asked: string[] = [];
  const run = createRun(temporaryFolder(), {
    ports: {
      ask: async ({ question }) => {
        asked.push(question);
        return question === "which?" ? "the blue one" : `it is ${token}`;
      },
    },
  });
  const ask = (question: string) =>
    ({ kind: "ask", question, choices: [], isInput: true }) as const;
  const script: TestScript = async ({ effect, agent }) => {
    const colour = await effect(ask("which?"));
    const key = await effect(ask("your key?"));
    await agent("use it");
    return [colour, key === `it is ${token}`];
  };
  const env = { MY_TOKEN: token };
  expect(await run.execute(script, { env })).toMatchObject({ result: ["the blue one", true] });
  const [, entry] = run.journal.listEntries(run.runId);
  expect(entry).toMatchObject({ kind: "ask", status: "done", result: "it is [secret]" });
  expect(await run.execute(script, { env })).toMatchObject({ result: ["the blue one", true] });
  expect(asked).toEqual(["which?", "your key?", "your key?"]);
  expect(run.billed).toEqual(["use it"]);
});

test("what is asked is kept for a person to read, without secrets", async () => {
  const run = createRun(temporaryFolder(), { callAgent: async () => done("used") });
  const key = `sk-ant-api03-${"A1b2C3d4".repeat(12)}`;
  await run.execute(({ agent }) => agent(`use ${key} now`, { schema: null }));
  const entry = run.journal.readEntry(run.runId, 1);
  expect(JSON.stringify(entry)).not.toContain(key.slice(0, 40));
  expect(entry).toMatchObject({ label: "use [secret] now", asked: { prompt: "use [secret] now" } });
  expect(run.calls[0]?.effect.prompt).toContain(key);
});

test("a failure that is the script's own fault is thrown to it, and runs again", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: async () => ({
      ...{ kind: "failed", code: "AgentTypeUnknown", message: "no type `x`", usage: USAGE },
    }),
  });
  const script: TestScript = ({ agent }) =>
    agent("one", { agentType: "x" }).catch((error: Error) => error.message);
  expect(await run.execute(script)).toMatchObject({ kind: "done", result: "no type `x`" });
  await run.execute(script);
  expect(run.billed).toHaveLength(2);
});

test("a call that throws is a failed call, and the others go on", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: async ({ effect }) => {
      if (effect.prompt === "look at file 1") throw new TypeError("a bug");
      return done(effect.prompt);
    },
  });
  expect(await run.execute(fanOut(3))).toMatchObject({ census: { done: 2, failed: 1 } });
  expect(run.journal.readEntry(run.runId, 2)?.problem).toEqual({
    code: "Internal",
    message: "a bug",
  });
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

test("a bug in what runs the script ends its calls, is thrown on, and keeps what was finished", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: (call) =>
      call.effect.prompt === "long" ? untilCancelled(call) : Promise.resolve(done("short")),
  });
  const bug = new TypeError("a bug");
  const forms = {
    runScript: async ({ perform }: Parameters<WorkflowForms["runScript"]>[0]) => {
      void perform({ path: "", effect: agentEffect("long") });
      await perform({ path: "", effect: agentEffect("short") });
      throw bug;
    },
    runStages: () => Promise.reject(bug),
    readWorkflow: () => Promise.reject(bug),
  };
  await expect(run.execute(fanOut(0), { forms })).rejects.toBe(bug);
  expect(run.calls[0]?.signal.aborted).toBe(true);
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "failed", owner: null });
  expect(run.journal.totals(run.runId)).toMatchObject({ done: 1, running: 1 });
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
