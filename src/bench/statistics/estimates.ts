// What can be told from a few trials: the chances of several tries, a rate with its interval, a median with its
// quartiles. Null where there is nothing to describe: unknown is never zero.

export interface Tally {
  readonly passed: number;
  readonly trials: number;
}

/**
 * The chance that at least one of `k` tries passes; null where fewer were made. The unbiased estimate, by counting
 * the ways to draw `k` of the trials.
 */
export function passAtK({ passed, trials }: Tally, k: number): number | null {
  if (k > trials) return null;
  return 1 - drawAll(trials - passed, trials, k);
}

/** The chance that all of `k` tries pass; null where fewer were made. */
export function passEveryK({ passed, trials }: Tally, k: number): number | null {
  if (k > trials) return null;
  return drawAll(passed, trials, k);
}

/** The chance that `k` draws without replacement from `of` all hit one of `wanted`. */
function drawAll(wanted: number, of: number, k: number): number {
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, wanted - drawn) / (of - drawn);
  return chance;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The normal quantile of a 95 % interval. */
const Z = 1.959963984540054;

/** The 95 % score interval of a rate; null where nothing was counted. */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const square = Z * Z;
  const scale = 1 + square / trials;
  const centre = (rate + square / (2 * trials)) / scale;
  const spread =
    (Z / scale) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials * trials));
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - spread),
    high: successes === trials ? 1 : Math.min(1, centre + spread),
  };
}

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Between the two nearest values, as most programs do it (type 7). */
export function quantile(values: readonly number[], fraction: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  const at = (sorted.length - 1) * fraction;
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The median with the quartiles around it. */
export function spreadOf(values: readonly number[]): Spread | null {
  const [low, median, high] = [0.25, 0.5, 0.75].map((fraction) => quantile(values, fraction));
  if (low == null || median == null || high == null) return null;
  return { median, low, high };
}
