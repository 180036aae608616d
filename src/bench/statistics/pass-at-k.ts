// Both are the unbiased estimates from `passed` of `trials`, by counting the ways to draw `k` of them.

export interface Tally {
  readonly passed: number;
  readonly trials: number;
}

/** The chance that at least one of `k` tries passes; null where fewer were made. */
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
