import { expect, test } from "vitest";
import { type BudgetSituation, decideBudget } from "../../../src/workflow/engine/budget.ts";
import { exitCodeOf } from "../../../src/workflow/engine/census.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ManualClock } from "./manual-clock.ts";
import { createRun, done, NO_LIMITS, parallel, type TestScript } from "./scripted-run.ts";

const tenCalls: TestScript = ({ agent }) =>
  parallel(Array.from({ length: 10 }, (_, at) => () => agent(`call ${at}`, {}, `p/${at}`)));

test.each([
  { limits: { usd: 0.55 }, made: 5, reason: "budget: $0.50 of its $0.55 are spent" },
  { limits: { tokens: 60 }, made: 4, reason: "budget: 60 of its 60 tokens are spent" },
  { limits: { calls: 3 }, made: 3, reason: "budget: its 3 calls are made" },
])("a run of $limits stops when that is spent, keeps all, and goes on with more", async (of) => {
  const { limits, made, reason } = of;
  const run = createRun(temporaryFolder(), { limits });
  const ending = await run.execute(tenCalls);
  expect(ending).toMatchObject({ kind: "stopped", reason, census: { calls: made, done: made } });
  expect(exitCodeOf(ending)).toBe(3);
  expect(run.journal.readRun(run.runId)).toMatchObject({ status: "stopped", reason, owner: null });
  run.journal.changeRun(run.runId, { limits: NO_LIMITS });
  expect(await run.execute(tenCalls)).toMatchObject({ kind: "done", census: { done: 10 } });
  expect(run.billed).toHaveLength(10);
});

test("calls under way are counted with what their like took, so that a limit is not run over together", async () => {
  const folder = temporaryFolder();
  await createRun(folder).execute(tenCalls);
  let [underWay, most] = [0, 0];
  const run = createRun(folder, {
    limits: { usd: 0.35 },
    callAgent: async ({ effect }) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
      return done(effect.prompt);
    },
  });
  expect(await run.execute(tenCalls)).toMatchObject({ kind: "stopped", census: { done: 3 } });
  expect(most).toBe(3);
});

test("a limit in dollars is refused where nobody knows the price", async () => {
  const run = createRun(temporaryFolder(), {
    limits: { usd: 1 },
    ports: { statesCost: (agent) => agent === "claude" },
  });
  const ending = await run.execute(({ agent }) => agent("free?", { agent: "gemini" }));
  expect(ending).toMatchObject({
    kind: "failed",
    reason:
      "agent `gemini` does not say what it costs, and there is no price for its default model: a limit in dollars cannot be kept",
  });
  const ports = { statesCost: () => false, callAgent: () => Promise.reject(new Error("called")) };
  const other = createRun(temporaryFolder(), { limits: { usd: 1 }, ports });
  await expect(other.execute(tenCalls)).rejects.toMatchObject({ code: "InputInvalid" });
  expect(other.journal.readRun(other.runId)).toMatchObject({ status: "stopped", owner: null });
});

test("the time of a run is the time it was worked on", async () => {
  const clock = new ManualClock();
  const run = createRun(temporaryFolder(), { clock, limits: { timeMs: 60_000 } });
  const ending = await run.execute(async ({ agent }) => {
    await agent("one");
    clock.advance(60_000);
    return agent("two");
  });
  expect(ending).toMatchObject({ kind: "stopped", reason: "budget: its 60 s are over" });
});

const situation: BudgetSituation = {
  limits: { ...NO_LIMITS, usd: 1 },
  spent: { usd: 0, tokens: 0, calls: 0, timeMs: 0 },
  underWay: [],
  next: { usd: 0.4, tokens: null },
  isAgain: false,
};
const taking = (...usd: (number | null)[]) => usd.map((amount) => ({ usd: amount, tokens: null }));

test.each([
  ["fits", {}, "start"],
  ["fits beside others", { underWay: taking(0.3, 0.3) }, "start"],
  ["may fit when others took less", { underWay: taking(0.4, 0.4) }, "wait"],
  ["cannot fit", { spent: { ...situation.spent, usd: 0.7 } }, "reached"],
  ["is the first of its kind", { next: { usd: null, tokens: null } }, "start"],
  ["comes after the first of its kind", { underWay: taking(null) }, "wait"],
] as const)("a call that %s: %s → %s", (_, change, kind) => {
  expect(decideBudget({ ...situation, ...change }).kind).toBe(kind);
});
