import { describe, expect, test } from "vitest";
import { describeComparison } from "../../../src/bench/report/figures.ts";
import { summarizeRun } from "../../../src/bench/report/summary.ts";
import type { TrialEnding } from "../../../src/bench/suite/trial.ts";
import { result } from "./results.ts";

const plan = { agents: ["x", "y"], cases: ["a", "b"] };

describe("the figures of an agent", () => {
  test("what could not run is left out of the rate and shows in the coverage", () => {
    const endings: TrialEnding[] = ["passed", "failed", "infra", "cancelled"];
    const results = endings.map((ending, at) => result({ ending, repetition: at + 1 }));
    const [x] = summarizeRun(results, plan).agents;
    expect(x).toMatchObject({ tally: { passed: 1, trials: 2 }, passRate: 0.5, coverage: 0.5 });
    expect(x?.endings).toEqual({ passed: 1, failed: 1, infra: 1, cancelled: 1 });
  });

  test.each(["refused", "agent_error", "limit", "timeout"] as const)(
    "%s counts as not passed",
    (ending) => {
      const [x] = summarizeRun([result({ ending }), result({ ending: "passed" })], plan).agents;
      expect(x?.passRate).toBe(0.5);
    },
  );

  test("what never came shows in the coverage too", () => {
    const results = [result({ ending: "passed" }), result({ ending: "passed", caseId: "b" })];
    const { agents, cells } = summarizeRun(results, { ...plan, trials: 12 });
    expect(agents.map(({ coverage }) => coverage)).toEqual([2 / 6, 0]);
    expect(cells.map(({ coverage }) => coverage)).toEqual([1 / 3, 1 / 3, 0, 0]);
  });

  test("an agent of which nothing ran has no rate, no score and no cost", () => {
    const [, y] = summarizeRun([result({ ending: "passed" })], plan).agents;
    expect(y).toMatchObject({
      passRate: null,
      interval: null,
      coverage: 0,
      meanScore: null,
      usdPerSolved: null,
      severalTries: [],
    });
  });

  test("what it cost per solved trial is all it cost by what it solved", () => {
    const results = [
      result({ ending: "passed", costUsd: 1, agentMs: 10, score: 1 }),
      result({ ending: "failed", costUsd: 2, agentMs: 30, score: 0 }),
      result({ ending: "failed", costUsd: null, agentMs: 20, score: null }),
    ];
    const [x] = summarizeRun(results, plan).agents;
    expect(x).toMatchObject({ totalUsd: 3, usdPerSolved: 3, isCostPartial: true, meanScore: 0.5 });
    expect(summarizeRun(results.slice(0, 2), plan).agents[0]?.isCostPartial).toBe(false);
    expect(x?.agentMs?.median).toBe(20);
  });

  test("tries are counted as far as every case was tried that often", () => {
    const results = [
      ...[1, 2, 3].map((repetition) => result({ ending: "passed", caseId: "a", repetition })),
      result({ ending: "passed", caseId: "b", repetition: 1 }),
      result({ ending: "failed", caseId: "b", repetition: 2 }),
    ];
    const [x] = summarizeRun(results, plan).agents;
    expect(x?.severalTries).toEqual([
      { k: 1, once: 0.75, always: 0.75 },
      { k: 2, once: 1, always: 0.5 },
    ]);
  });
});

test("a case that passes now and then is flaky, one that never does is not", () => {
  const results = [
    result({ ending: "passed", caseId: "a" }),
    result({ ending: "failed", caseId: "a", repetition: 2 }),
    result({ ending: "failed", caseId: "b" }),
  ];
  const { cells } = summarizeRun(results, plan);
  expect(
    cells.filter(({ isFlaky }) => isFlaky).map(({ agentId, caseId }) => agentId + caseId),
  ).toEqual(["xa"]);
});

describe("two agents", () => {
  const many = (agentId: string, passed: number) =>
    Array.from({ length: 10 }, (_, at) =>
      result({ ending: at < passed ? "passed" : "failed", agentId, repetition: at + 1 }),
    );

  test("that differ by chance only show no difference", () => {
    const { comparisons } = summarizeRun([...many("x", 6), ...many("y", 5)], plan);
    expect(comparisons).toMatchObject([
      { left: "x", right: "y", verdict: "no difference shown", cases: 1 },
    ]);
  });

  test("that were tried too seldom show no difference, and the interval does not claim one", () => {
    const few = (agentId: string, ending: TrialEnding) =>
      [1, 2, 3].map((repetition) => result({ ending, agentId, repetition }));
    const [found] = summarizeRun([...few("x", "passed"), ...few("y", "failed")], plan).comparisons;
    expect(found).toMatchObject({ difference: 1, verdict: "no difference shown" });
    expect(found?.interval).toEqual({ low: 0, high: 1 });
  });

  test("that always do the same have an interval around nothing", () => {
    const [found] = summarizeRun([...many("x", 10), ...many("y", 10)], plan).comparisons;
    expect(found).toMatchObject({ difference: 0, p: 1, verdict: "no difference shown" });
    expect(found?.interval.low).toBeCloseTo(-0.2775, 4);
    expect(found?.interval.high).toBeCloseTo(0.2775, 4);
  });

  test("of which one is better are told apart", () => {
    const { comparisons } = summarizeRun([...many("x", 1), ...many("y", 10)], plan);
    expect(comparisons[0]).toMatchObject({ verdict: "right", difference: -0.9 });
    expect(comparisons[0]?.p).toBeLessThan(0.001);
  });

  test("are told apart by the test alone, and the interval beside it agrees", () => {
    // 5 of 10 against 10 of 10: p is 0.033, and Newcombe's interval may say something else.
    for (const passed of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      const [found] = summarizeRun([...many("x", passed), ...many("y", 10)], plan).comparisons;
      if (found === undefined) throw new TypeError("they were compared");
      const isShown = found.verdict !== "no difference shown";
      expect(isShown).toBe(found.p < 0.05);
      const { low, high } = found.interval;
      expect(low < 0 && high > 0 && isShown).toBe(false);
      expect(isShown || (low <= 0 && high >= 0)).toBe(true);
    }
  });

  test("of many pairs each must show more, and the sentence says so", () => {
    const agents = ["x", "y", "z"];
    const results = [...many("x", 5), ...many("y", 10), ...many("z", 10)];
    const { comparisons } = summarizeRun(results, { agents, cases: ["a"] });
    expect(comparisons.map(({ verdict, pairs }) => [verdict, pairs])).toEqual([
      ["no difference shown", 3],
      ["no difference shown", 3],
      ["no difference shown", 3],
    ]);
    const [first] = comparisons;
    if (first === undefined) throw new TypeError("they were compared");
    expect(first.p).toBeLessThan(0.05);
    expect(describeComparison(first)).toBe(
      "x and y: no difference shown (−50 points, 95 % −76 to 0, p = 0.033, 0.098 corrected for 3 pairs)",
    );
  });

  test("that were tried on different cases are not compared", () => {
    const results = [
      result({ ending: "passed", agentId: "x", caseId: "a" }),
      result({ ending: "passed", agentId: "y", caseId: "b" }),
    ];
    expect(summarizeRun(results, plan).comparisons).toEqual([]);
  });
});
