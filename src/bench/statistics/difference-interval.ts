// How much two agents differ on the same cases. With one case this is Newcombe's interval for independent
// rates, with one try per case his interval for paired ones (Statistics in Medicine 17, 1998, method 10 of
// both papers). Unlike a bootstrap's it has a width where every try of a case came out the same.
import type { CasePair } from "./paired-test.ts";
import type { Tally } from "./pass-at-k.ts";
import { mean } from "./spread.ts";
import { type Interval, wilsonInterval } from "./wilson-interval.ts";

/** Of the mean pass rate over the cases, left minus right, with its 95 % interval. */
export interface Difference extends Interval {
  readonly value: number;
}

/** It speaks of these cases, not of others like them; null where there are none. */
export function differenceOf(pairs: readonly CasePair[]): Difference | null {
  const left = describeSide(pairs.map((pair) => pair.left));
  const right = describeSide(pairs.map((pair) => pair.right));
  if (left === null || right === null) return null;
  const shared = correlationOf(left, right);
  const reach = (one: number, other: number): number =>
    Math.sqrt(Math.max(0, one ** 2 - 2 * shared * one * other + other ** 2));
  const value = left.rate - right.rate;
  return {
    value,
    low: Math.max(-1, value - reach(left.below, right.above)),
    high: Math.min(1, value + reach(left.above, right.below)),
  };
}

interface Side {
  readonly rates: readonly number[];
  readonly rate: number;
  /** So many tries of one case would tell as much. */
  readonly tries: number;
  /** How far the interval of the rate reaches to both sides. */
  readonly below: number;
  readonly above: number;
}

function describeSide(tallies: readonly Tally[]): Side | null {
  const rates = tallies.map(({ passed, trials }) => passed / trials);
  const rate = mean(rates);
  const tries = rates.length ** 2 / tallies.reduce((sum, { trials }) => sum + 1 / trials, 0);
  const interval = rate === null ? null : wilsonInterval(rate * tries, tries);
  if (rate === null || interval === null) return null;
  return { rates, rate, tries, below: rate - interval.low, above: interval.high - rate };
}

/** What is hard for one is hard for the other: so much of the spread is the cases', not the agents'. */
function correlationOf(left: Side, right: Side): number {
  const spread = Math.sqrt(left.rate * (1 - left.rate) * right.rate * (1 - right.rate));
  if (spread === 0) return 0;
  const products = left.rates.map((rate, at) => rate * (right.rates[at] ?? 0));
  const common = (mean(products) ?? 0) - left.rate * right.rate;
  // Newcombe's correction; without it, agents that always agree would have no interval.
  const correction = 1 / (2 * Math.min(left.tries, right.tries));
  return (common < 0 ? common : Math.max(0, common - correction)) / spread;
}
