import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  passAtK,
  passEveryK,
  quantile,
  spreadOf,
  wilsonInterval,
} from "../../../src/bench/statistics/estimates.ts";
import {
  type CasePair,
  differenceOf,
  holmCorrection,
  pairedTest,
} from "../../../src/bench/statistics/paired.ts";
import { seededRandom } from "../../support/seeded-random.ts";

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

/** Cases by who passed them in a single try. */
function triedOnce(counts: Record<"both" | "left" | "right" | "none", number>): CasePair[] {
  const cases = (count: number, left: boolean, right: boolean) =>
    Array.from({ length: count }, () => ({ left: once(left), right: once(right) }));
  return [
    ...cases(counts.both, true, true),
    ...cases(counts.left, true, false),
    ...cases(counts.right, false, true),
    ...cases(counts.none, false, false),
  ];
}

const TALLY = fc
  .integer({ min: 1, max: 6 })
  .chain((trials) =>
    fc.record({ trials: fc.constant(trials), passed: fc.integer({ min: 0, max: trials }) }),
  );
const CASE_PAIR = fc.record({ left: TALLY, right: TALLY });

describe("two agents on the same cases", () => {
  test("one try per case is McNemar's exact test: 10 against 2 gives 0.0386", () => {
    const pairs = triedOnce({ both: 30, left: 10, right: 2, none: 0 });
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
    const tally = (rate: number) => drawTally(random, rate, 5);
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

  test("ten thousand tries of a case are no trouble", () => {
    const pair = (passed: number) => ({ passed, trials: 10_000 });
    expect(pairedTest([{ left: pair(5_000), right: pair(5_000) }])).toBeCloseTo(1, 8);
    // The two-sided chance of the normal approximation at z = 1.98.
    expect(pairedTest([{ left: pair(5_070), right: pair(4_930) }])).toBeCloseTo(0.0492, 3);
  });

  test("the order of the agents does not matter", () => {
    fc.assert(
      fc.property(fc.array(CASE_PAIR, { maxLength: 6 }), (given) => {
        const swapped = given.map(({ left, right }) => ({ left: right, right: left }));
        expect(pairedTest(swapped)).toBeCloseTo(pairedTest(given), 8);
      }),
    );
  });
});

describe("the interval of a difference", () => {
  // Newcombe (1998), "Interval estimation for the difference between independent proportions", table II, method 10.
  test.each([
    [[56, 70], [48, 80], 0.0524, 0.3339],
    [[9, 10], [3, 10], 0.1705, 0.809],
    [[6, 7], [2, 7], 0.0582, 0.8062],
    [[5, 56], [0, 29], -0.0381, 0.1926],
    [[0, 10], [0, 20], -0.1611, 0.2775],
    [[0, 10], [0, 10], -0.2775, 0.2775],
    [[10, 10], [0, 20], 0.6791, 1],
    [[10, 10], [0, 10], 0.6075, 1],
  ] as const)("on one case, %j against %j, is %f to %f, as published", (left, right, low, high) => {
    const interval = differenceOf([{ left: tallyOf(left), right: tallyOf(right) }]);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  // Altman et al. (2000), "Statistics with Confidence", table 6.2; Fagerland et al. (2014), "Recommended tests
  // and confidence intervals for paired binomial proportions", the example of Bentur et al.
  test.each([
    [{ both: 14, left: 5, right: 0, none: 22 }, 0.011, 0.226],
    [{ both: 1, left: 1, right: 7, none: 12 }, -0.507, -0.026],
  ])("with one try per case, %j, is %f to %f, as published", (counts, low, high) => {
    const interval = differenceOf(triedOnce(counts));
    expect(interval?.low).toBeCloseTo(low, 3);
    expect(interval?.high).toBeCloseTo(high, 3);
  });

  test.each([
    ["pass everything", 1, 1],
    ["fail everything", 0, 0],
    ["pass the same half", 1, 0],
  ])(
    "two agents that always %s may still differ, and by less the more was tried",
    (_, first, second) => {
      const widths = [1, 5, 25].map((trials) => {
        const same = (rate: number) => ({ passed: rate * trials, trials });
        const interval = differenceOf(
          [first, second].map((rate) => ({ left: same(rate), right: same(rate) })),
        );
        expect(interval?.low).toBeLessThan(-0.01);
        expect(interval?.high).toBeGreaterThan(0.01);
        return (interval?.high ?? 0) - (interval?.low ?? 0);
      });
      expect(widths.toSorted((one, other) => other - one)).toEqual(widths);
    },
  );

  // Agents that differ alike on all cases: there theory says 95 %. Where they do not it is more.
  test.each([
    [3, [0.99, 0.8, 0.5, 0.2], [0.9, 0.6, 0.3, 0.05]],
    [10, [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]],
  ])(
    "with %i tries a case it covers the difference in 94 to 96 of 100, over 10,000 draws",
    (tries, left, right) => {
      const random = seededRandom(tries);
      const draw = (rate: number) => drawTally(random, rate, tries);
      const rates = [...left, ...left, ...left].map(
        (rate, at) => [rate, right[at % 4] ?? 0] as const,
      );
      const truth = rates.reduce((sum, [one, other]) => sum + one - other, 0) / rates.length;
      let covered = 0;
      for (let count = 0; count < 10_000; count++) {
        const interval = differenceOf(
          rates.map(([one, other]) => ({ left: draw(one), right: draw(other) })),
        );
        if (interval !== null && interval.low <= truth && truth <= interval.high) covered++;
      }
      expect(covered / 10_000).toBeGreaterThan(0.94);
      expect(covered / 10_000).toBeLessThan(0.96);
    },
  );

  test("is that of the other order, turned around, and holds the difference", () => {
    fc.assert(
      fc.property(fc.array(CASE_PAIR, { minLength: 1, maxLength: 6 }), (pairs) => {
        const found = differenceOf(pairs);
        const turned = differenceOf(pairs.map(({ left, right }) => ({ left: right, right: left })));
        expect(found?.low).toBeCloseTo(-(turned?.high ?? 2), 10);
        expect(found?.low).toBeLessThanOrEqual(found?.value ?? -2);
        expect(found?.high).toBeGreaterThanOrEqual(found?.value ?? 2);
      }),
    );
  });

  test("has none where no case was tried by both", () => {
    expect(differenceOf([])).toBeNull();
  });
});

const tallyOf = ([passed, trials]: readonly [number, number]) => ({ passed, trials });

function drawTally(random: () => number, rate: number, trials: number) {
  let passed = 0;
  for (let trial = 0; trial < trials; trial++) if (random() < rate) passed++;
  return { passed, trials };
}

test("quantiles are those of a published example (type 7)", () => {
  expect([0.25, 0.5, 0.75].map((fraction) => quantile([1, 3, 4, 8, 10, 11], fraction))).toEqual([
    3.25, 6, 9.5,
  ]);
  expect(spreadOf([])).toBeNull();
});

test("Holm's correction is that of R's p.adjust", () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  const found = holmCorrection([0.01, 0.04, 0.03, 0.005]);
  expect(found.map((p) => Number(p.toFixed(6)))).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(holmCorrection([0.6, 0.7])).toEqual([1, 1]);
  expect(holmCorrection([])).toEqual([]);
});
