import { seededRandom } from "./seeded-random.ts";
import { mean, quantile } from "./spread.ts";
import type { Interval } from "./wilson-interval.ts";

/** The scores of two agents on one case, a number per trial. */
export interface ScorePair {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

const DRAWS = 2_000;

/** The mean difference over the cases, left minus right. */
export const meanDifference = (pairs: readonly ScorePair[]): number | null =>
  mean(pairs.map(({ left, right }) => (mean(left) ?? 0) - (mean(right) ?? 0)));

/**
 * The 95 % percentile interval of that difference, each case's trials drawn anew with replacement.
 * The cases stay: it speaks of these cases, not of others like them.
 */
export function bootstrapDifference(pairs: readonly ScorePair[], seed = 1): Interval | null {
  const comparable = pairs.filter(({ left, right }) => left.length > 0 && right.length > 0);
  if (comparable.length === 0) return null;
  const random = seededRandom(seed);
  const redraw = (scores: readonly number[]): number[] =>
    scores.map(() => scores[Math.floor(random() * scores.length)] ?? 0);
  const draws = Array.from({ length: DRAWS }, () =>
    comparable.reduce(
      (sum, { left, right }) => sum + (mean(redraw(left)) ?? 0) - (mean(redraw(right)) ?? 0),
      0,
    ),
  ).map((sum) => sum / comparable.length);
  return { low: quantile(draws, 0.025) ?? 0, high: quantile(draws, 0.975) ?? 0 };
}
