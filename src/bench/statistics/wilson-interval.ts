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
