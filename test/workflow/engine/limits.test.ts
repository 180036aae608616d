import { expect, test } from "vitest";
import { defaultAtOnce } from "../../../src/workflow/engine/slots.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createRun, done, parallel, type TestScript, untilCancelled } from "./scripted-run.ts";

/** How calls ended: by null or an answer, or by what was thrown. */
const tally = async (outcomes: readonly Promise<unknown>[]) => {
  const counts = new Map<string, number>();
  for (const { status, reason } of (await Promise.allSettled(outcomes)).map(nameEnding))
    counts.set(reason ?? status, (counts.get(reason ?? status) ?? 0) + 1);
  return Object.fromEntries(counts);
};
const nameEnding = (ending: PromiseSettledResult<unknown>) =>
  ending.status === "fulfilled"
    ? { status: "answered", reason: null }
    : { status: "thrown", reason: String(ending.reason.message) };

const hundredThousand =
  (agentOf: (at: number) => string | null): TestScript =>
  ({ agent }) =>
    tally(
      Array.from({ length: 100_000 }, (_, at) =>
        agent(`call ${at}`, { agent: agentOf(at) }, `parallel#0/${at}`),
      ),
    );

test("of 100,000 calls those after the 10,000th are refused, and the script may catch that", async () => {
  // Refused for their price, so that none of them takes a place in the journal.
  const run = createRun(temporaryFolder(), {
    limits: { usd: 1 },
    ports: { statesCost: (agent) => agent === "claude" },
  });
  const ending = await run.execute(hundredThousand((at) => (at === 0 ? null : "gemini")));
  expect(ending).toMatchObject({
    kind: "done",
    result: {
      answered: 1,
      "a run may make at most 10000 calls": 90_000,
      [PRICELESS]: 9_999,
    },
  });
  expect(run.billed).toEqual(["call 0"]);
});

const PRICELESS =
  "agent `gemini` does not say what it costs, and there is no price for its default model: a limit in dollars cannot be kept";

longTest("10,000 calls are made and answer from the journal in seconds", async () => {
  const run = createRun(temporaryFolder());
  const result = { answered: 10_000, "a run may make at most 10000 calls": 90_000 };
  expect(await run.execute(hundredThousand(() => null))).toMatchObject({ kind: "done", result });
  expect(await run.execute(hundredThousand(() => null))).toMatchObject({ kind: "done", result });
  expect(run.billed).toHaveLength(10_000);
});

test("a result over 10 MB fails the call, and one below is kept", async () => {
  const run = createRun(temporaryFolder(), {
    callAgent: async ({ effect }) => done("x".repeat(Number(effect.prompt))),
  });
  const script: TestScript = async ({ agent }) => {
    const large = await agent(String(10 * 1024 * 1024 + 1));
    const kept = await agent(String(9 * 1024 * 1024));
    return [large, String(kept).length];
  };
  const ending = await run.execute(script);
  expect(ending).toMatchObject({ result: [null, 9 * 1024 * 1024], census: { failed: 1 } });
  expect(run.journal.readEntry(run.runId, 1)?.problem).toEqual({
    code: "ResultTooLarge",
    message: "its result has 10485763 bytes, and at most 10485760 are kept",
  });
});

test("a run whose own result is too large fails, and its calls stay", async () => {
  const run = createRun(temporaryFolder());
  const ending = await run.execute(async ({ agent }) => {
    await agent("one");
    return "x".repeat(11 * 1024 * 1024);
  });
  expect(ending).toMatchObject({ kind: "failed", census: { done: 1 } });
  expect(ending.kind === "failed" && ending.reason).toContain("at most 10485760 are kept");
});

test("calls at once are limited, first come first served", async () => {
  let underWay = 0;
  let most = 0;
  const run = createRun(temporaryFolder(), {
    atOnce: 5,
    callAgent: async ({ effect }) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 2));
      underWay--;
      return done(effect.prompt);
    },
  });
  const agents = ["claude", "codex", "qwen"];
  const script: TestScript = ({ agent }) =>
    parallel(
      Array.from({ length: 30 }, (_, at) => () => {
        return agent(`call ${at}`, { agent: agents[at % 3] ?? null }, `p/${at}`);
      }),
    );
  await run.execute(script);
  expect(most).toBe(5);
  const ofClaude = run.billed.filter((prompt) => Number(prompt.slice(5)) % 3 === 0);
  expect(ofClaude).toEqual(ofClaude.toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5))));
});

test.each([
  [1, 2],
  [4, 2],
  [8, 6],
  [64, 16],
])("%i processors run %i calls at once", (cores, atOnce) => {
  expect(defaultAtOnce(cores)).toBe(atOnce);
});

test("what a script did not wait for is finished where it works and dropped where it only waits", async () => {
  const run = createRun(temporaryFolder(), {
    atOnce: 1,
    callAgent: async ({ effect }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return done(effect.prompt);
    },
  });
  const ending = await run.execute(async ({ agent, effect }) => {
    for (const forgotten of [agent("works"), agent("is queued")]) forgotten.catch(() => {});
    effect({ kind: "sleep", ms: 86_400_000 }).catch(() => {});
    await effect({ kind: "now" });
    return "early";
  });
  expect(ending).toMatchObject({ kind: "done", result: "early", census: { calls: 1, done: 1 } });
  expect(run.billed).toEqual(["works"]);
});

test("a run waits as a whole only while all of it waits for somebody", async () => {
  let answer = (_: string): void => {};
  const run = createRun(temporaryFolder(), {
    ports: {
      ask: ({ onWaiting }) => {
        onWaiting("`Ship it?` waits for an answer");
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
    callAgent: untilCancelled,
  });
  const question = { kind: "ask", question: "Ship it?", choices: [], isInput: false } as const;
  const ended = run.execute(({ effect }) => effect(question));
  await waitUntil(() => run.journal.readRun(run.runId)?.status === "waiting");
  expect(run.journal.readRun(run.runId)).toMatchObject({
    reason: "`Ship it?` waits for an answer",
    waitingUntil: null,
  });
  answer("yes");
  expect(await ended).toMatchObject({ kind: "done", result: "yes" });
  expect(await run.execute(({ effect }) => effect(question))).toMatchObject({ result: "yes" });
});
