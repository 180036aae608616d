import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { AgentBreakers, decidePause } from "../../../src/workflow/engine/breakers.ts";
import { exitCodeOf } from "../../../src/workflow/engine/census.ts";
import type { AgentCall, AgentCallEnding } from "../../../src/workflow/engine/effect.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ManualClock } from "./manual-clock.ts";
import { createRun, done, parallel, USAGE } from "./scripted-run.ts";

const MINUTE = 60_000;

/** A model that answers so many calls, then none until it is told to. */
function createLimitedModel(clock: ManualClock, limit: number, until: string | null) {
  const model = { answered: 0, refused: 0, startedTooLate: 0, isBack: false };
  const callAgent = async ({ agent, effect }: AgentCall): Promise<AgentCallEnding> => {
    if (agent !== "claude") return done(effect.prompt);
    if (model.refused > 0 && !model.isBack) model.startedTooLate++;
    await turn();
    if (model.isBack || model.answered < limit) {
      model.answered++;
      return done(effect.prompt);
    }
    model.refused++;
    return { kind: "quota", until, message: "usage limit", usage: USAGE };
  };
  return { model, callAgent, clock };
}

test("a quota met at call 30 of 100 starts nothing more on that agent, and the others finish", async () => {
  const clock = new ManualClock();
  const until = new Date(clock.now() + 60 * MINUTE).toISOString();
  const { model, callAgent } = createLimitedModel(clock, 30, until);
  const run = createRun(temporaryFolder(), { clock, callAgent, atOnce: 8 });
  const ended = run.execute(({ agent }) =>
    parallel(
      Array.from({ length: 100 }, (_, at) => async () => {
        const answer = await agent(`claude ${at}`, {}, `p/${at}`);
        return at < 20 ? agent(`codex ${at}`, { agent: "codex" }, `p/${at}`) : answer;
      }),
    ),
  );
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  expect(run.journal.readRun(run.runId)).toMatchObject({
    reason: "the quota of `claude` is used up",
    waitingUntil: until,
  });
  expect(model).toMatchObject({ answered: 30, startedTooLate: 0 });
  expect(model.refused).toBeLessThanOrEqual(8);
  expect(run.billed.filter((prompt) => prompt.startsWith("codex"))).toHaveLength(20);
  const waiting = run.journal.listEntries(run.runId).filter((entry) => entry.waiting !== null);
  expect(waiting.map(({ waiting, status }) => `${status}: ${waiting}`)).toContain(
    `running: the quota of \`claude\` is used up until ${until}`,
  );

  clock.advance(59 * MINUTE);
  await turn();
  expect(model.startedTooLate).toBe(0);
  model.isBack = true;
  clock.advance(MINUTE);
  const ending = await ended;
  expect(ending).toMatchObject({ kind: "done", census: { calls: 120, done: 120 } });
  expect(exitCodeOf(ending)).toBe(0);
  expect(run.billed).toHaveLength(120 + model.refused);
  expect(run.journal.listPauses()).toEqual([]);
});

test("one call alone tries when the time has come, and a quota that is still used up is waited for longer", async () => {
  const clock = new ManualClock();
  const { model, callAgent } = createLimitedModel(clock, 0, null);
  const run = createRun(temporaryFolder(), {
    ...{ clock, callAgent, atOnce: 8 },
    backoffMs: [MINUTE, 2 * MINUTE],
  });
  const ended = run.execute(({ agent }) =>
    parallel(Array.from({ length: 20 }, (_, at) => () => agent(`claude ${at}`))),
  );
  const pause = () => run.journal.listPauses()[0];
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  expect(pause()).toMatchObject({ times: 1 });
  const before = model.refused;
  clock.advance(MINUTE);
  await waitUntil(() => pause()?.times === 2);
  expect(model.refused).toBe(before + 1);
  model.isBack = true;
  clock.advance(MINUTE);
  await turn();
  expect(model.answered).toBe(0);
  clock.advance(MINUTE);
  expect(await ended).toMatchObject({ kind: "done", census: { done: 20, failed: 0 } });
});

test("another process knows of a quota that is used up", async () => {
  const clock = new ManualClock();
  const run = createRun(temporaryFolder(), { clock });
  const until = new Date(clock.now() + MINUTE).toISOString();
  run.journal.writePause("claude", { until, times: 1 });
  const breakers = new AgentBreakers({ journal: run.journal, clock });
  const ended = run.execute(({ agent }) => agent("late"), { breakers });
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  expect(run.billed).toEqual([]);
  clock.advance(MINUTE);
  expect(await ended).toMatchObject({ kind: "done" });
});

test.each([
  { until: "2026-11-17T13:00:00.000Z", times: 1, waits: 60 },
  { until: "2026-11-17T11:00:00.000Z", times: 1, waits: 1 },
  { until: null, times: 2, waits: 2 },
  { until: null, times: 3, waits: 5 },
  { until: "soon", times: 9, waits: 10 },
])("a quota until $until, met $times times, is waited for $waits minutes", (met) => {
  const now = Date.parse("2026-11-17T12:00:00Z");
  expect(decidePause(met, now) - now).toBe(met.waits * MINUTE);
});
