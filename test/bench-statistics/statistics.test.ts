import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bootstrapDifference,
  meanDifference,
} from "../../src/bench/statistics/bootstrap-difference.ts";
import { pairedTest } from "../../src/bench/statistics/paired-test.ts";
import { passAtK, passEveryK } from "../../src/bench/statistics/pass-at-k.ts";
import { seededRandom } from "../../src/bench/statistics/seeded-random.ts";
import { quantile, spreadOf } from "../../src/bench/statistics/spread.ts";
import { wilsonInterval } from "../../src/bench/statistics/wilson-interval.ts";

describe("the score interval of a rate", () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%i of %i is %f to %f, as published", (passed, trials, low, high) => {
    const interval = wilsonInterval(passed, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test("nothing counted has none", () => {
    expect(wilsonInterval(0, 0)).toBeNull();
  });

  test("all passed ends at 1 and mirrors none passed", () => {
    const [all, none] = [wilsonInterval(20, 20), wilsonInterval(0, 20)];
    expect(all?.high).toBe(1);
    expect(all?.low).toBeCloseTo(1 - (none?.high ?? 0), 12);
  });

  test.each([0.3, 0.5, 0.8])("covers a rate of %f in 94 to 96 % of 10,000 draws of 400", (rate) => {
    const random = seededRandom(Math.round(rate * 1_000));
    let covered = 0;
    for (let draw = 0; draw < 10_000; draw++) {
      let passed = 0;
      for (let trial = 0; trial < 400; trial++) if (random() < rate) passed++;
      const interval = wilsonInterval(passed, 400);
      if (interval !== null && interval.low <= rate && rate <= interval.high) covered++;
    }
    expect(covered / 10_000).toBeGreaterThan(0.94);
    expect(covered / 10_000).toBeLessThan(0.96);
  });
});

describe("passing in several tries", () => {
  test.each([
    [{ passed: 1, trials: 4 }, 2, 0.5, 0],
    [{ passed: 2, trials: 4 }, 2, 5 / 6, 1 / 6],
    [{ passed: 3, trials: 5 }, 1, 0.6, 0.6],
    [{ passed: 5, trials: 5 }, 5, 1, 1],
    [{ passed: 0, trials: 5 }, 3, 0, 0],
  ])("%j in %i tries", (tally, k, once, always) => {
    expect(passAtK(tally, k)).toBeCloseTo(once, 12);
    expect(passEveryK(tally, k)).toBeCloseTo(always, 12);
  });

  test("more tries than were made have no answer", () => {
    expect(passAtK({ passed: 1, trials: 2 }, 3)).toBeNull();
    expect(passEveryK({ passed: 1, trials: 2 }, 3)).toBeNull();
  });

  test("both equal what counting every subset gives", () => {
    const tallies = fc.integer({ min: 1, max: 9 }).chain((trials) =>
      fc.record({
        trials: fc.constant(trials),
        passed: fc.integer({ min: 0, max: trials }),
        k: fc.integer({ min: 1, max: trials }),
      }),
    );
    fc.assert(
      fc.property(tallies, ({ trials, passed, k }) => {
        const subsets = subsetsOf(trials, k);
        const hits = subsets.filter((subset) => subset.some((at) => at < passed)).length;
        const full = subsets.filter((subset) => subset.every((at) => at < passed)).length;
        expect(passAtK({ passed, trials }, k)).toBeCloseTo(hits / subsets.length, 10);
        expect(passEveryK({ passed, trials }, k)).toBeCloseTo(full / subsets.length, 10);
      }),
    );
  });
});

function subsetsOf(count: number, size: number): number[][] {
  const subsets: number[][] = [];
  for (let mask = 0; mask < 1 << count; mask++) {
    const subset = Array.from({ length: count }, (_, at) => at).filter((at) => mask & (1 << at));
    if (subset.length === size) subsets.push(subset);
  }
  return subsets;
}

const once = (passed: boolean) => ({ passed: passed ? 1 : 0, trials: 1 });

describe("two agents on the same cases", () => {
  test("one try per case is McNemar's exact test: 10 against 2 gives 0.0386", () => {
    const pairs = [
      ...Array.from({ length: 10 }, () => ({ left: once(true), right: once(false) })),
      ...Array.from({ length: 2 }, () => ({ left: once(false), right: once(true) })),
      ...Array.from({ length: 30 }, () => ({ left: once(true), right: once(true) })),
    ];
    expect(pairedTest(pairs)).toBeCloseTo((2 * 79) / 4_096, 6);
  });

  // Fisher's tea: three of four cups against one of four.
  test("one case is Fisher's exact test: the lady tasting tea gives 0.4857", () => {
    const pair = { left: { passed: 3, trials: 4 }, right: { passed: 1, trials: 4 } };
    expect(pairedTest([pair])).toBeCloseTo(34 / 70, 6);
  });

  test("agents without any difference give 1, and nothing at all gives 1", () => {
    expect(pairedTest([{ left: once(true), right: once(true) }])).toBe(1);
    expect(pairedTest([])).toBe(1);
  });

  test("equal agents are called different in at most 5 % of 2,000 draws", () => {
    const random = seededRandom(7);
    const tally = (rate: number) => ({
      passed: Array.from({ length: 5 }, () => random() < rate).filter(Boolean).length,
      trials: 5,
    });
    let called = 0;
    for (let draw = 0; draw < 2_000; draw++) {
      const pairs = [0.2, 0.4, 0.6, 0.8, 0.9, 0.5].map((rate) => ({
        left: tally(rate),
        right: tally(rate),
      }));
      if (pairedTest(pairs) < 0.05) called++;
    }
    expect(called / 2_000).toBeLessThanOrEqual(0.055);
  });

  test("the order of the agents does not matter", () => {
    const tally = fc
      .integer({ min: 1, max: 6 })
      .chain((trials) =>
        fc.record({ trials: fc.constant(trials), passed: fc.integer({ min: 0, max: trials }) }),
      );
    const pairs = fc.array(fc.record({ left: tally, right: tally }), { maxLength: 6 });
    fc.assert(
      fc.property(pairs, (given) => {
        const swapped = given.map(({ left, right }) => ({ left: right, right: left }));
        expect(pairedTest(swapped)).toBeCloseTo(pairedTest(given), 8);
      }),
    );
  });
});

describe("the interval of a difference", () => {
  test("holds the difference, and is the same every time", () => {
    const pairs = [
      { left: [1, 1, 1, 0.5], right: [0, 0, 0.5, 0] },
      { left: [1, 0, 1, 1], right: [0, 0, 1, 0] },
    ];
    const interval = bootstrapDifference(pairs);
    expect(interval).toEqual(bootstrapDifference(pairs));
    expect(interval?.low).toBeGreaterThan(0);
    expect(interval?.low).toBeLessThan(meanDifference(pairs) ?? 0);
    expect(interval?.high).toBeGreaterThan(meanDifference(pairs) ?? 1);
  });

  test("has none where no case was tried by both", () => {
    expect(bootstrapDifference([{ left: [1], right: [] }])).toBeNull();
  });
});

test("quantiles are those of a published example (type 7)", () => {
  expect([0.25, 0.5, 0.75].map((fraction) => quantile([1, 3, 4, 8, 10, 11], fraction))).toEqual([
    3.25, 6, 9.5,
  ]);
  expect(spreadOf([])).toBeNull();
});
