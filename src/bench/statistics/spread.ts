// Null where there is nothing to describe: unknown is never zero.

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
