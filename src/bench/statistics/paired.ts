// How much two agents differ on the same cases. With one case this is Newcombe's interval for independent
// rates, with one try per case his interval for paired ones (Statistics in Medicine 17, 1998, method 10 of
// both papers). Unlike a bootstrap's it has a width where every try of a case came out the same.
import { type Interval, mean, type Tally, wilsonInterval } from "./estimates.ts";

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

// Whether two agents differ on the same cases: an exact test that holds each case's number of passes
// fixed, so that a hard case weighs against both alike. With one try per case it is McNemar's exact
// test, with one case Fisher's.

export interface CasePair {
  readonly left: Tally;
  readonly right: Tally;
}

/** The two-sided chance of a split at least as unlikely as this one if the agents were equal. */
export function pairedTest(pairs: readonly CasePair[]): number {
  const observed = pairs.reduce((sum, { left }) => sum + left.passed, 0);
  const most = Math.max(0, ...pairs.map(({ left, right }) => left.trials + right.trials));
  const logChoose = chooser(most);
  let chances: readonly number[] = [1];
  for (const pair of pairs) chances = convolve(chances, splitChances(pair, logChoose));
  const limit = (chances[observed] ?? 0) * (1 + 1e-7);
  const sum = chances.reduce((total, chance) => (chance <= limit ? total + chance : total), 0);
  return Math.min(1, sum);
}

/** By how many passes the left one got, given how many both got together. */
function splitChances({ left, right }: CasePair, logChoose: Choose): number[] {
  const passed = left.passed + right.passed;
  const trials = left.trials + right.trials;
  const total = logChoose(trials, passed);
  return Array.from({ length: left.trials + 1 }, (_, toLeft) => {
    const toRight = passed - toLeft;
    if (toRight < 0 || toRight > right.trials) return 0;
    return Math.exp(logChoose(left.trials, toLeft) + logChoose(right.trials, toRight) - total);
  });
}

function convolve(some: readonly number[], others: readonly number[]): number[] {
  const sums = new Array<number>(some.length + others.length - 1).fill(0);
  for (let at = 0; at < some.length; at++)
    for (let further = 0; further < others.length; further++)
      sums[at + further] = (sums[at + further] ?? 0) + (some[at] ?? 0) * (others[further] ?? 0);
  return sums;
}

type Choose = (of: number, chosen: number) => number;

/** Binomial coefficients up to `most`, as logarithms: a case may have been tried ten thousand times. */
function chooser(most: number): Choose {
  const logFactorials = [0];
  for (let factor = 1; factor <= most; factor++)
    logFactorials.push((logFactorials.at(-1) ?? 0) + Math.log(factor));
  const of = (count: number): number => logFactorials[count] ?? 0;
  return (all, chosen) => of(all) - of(chosen) - of(all - chosen);
}

/** Holm's step-down correction (Scandinavian Journal of Statistics 6, 1979): in the order given. */
export function holmCorrection(chances: readonly number[]): number[] {
  const ascending = chances.map((p, at) => ({ p, at })).toSorted((one, other) => one.p - other.p);
  const corrected = chances.slice();
  let highest = 0;
  for (const [rank, { p, at }] of ascending.entries()) {
    highest = Math.max(highest, Math.min(1, p * (chances.length - rank)));
    corrected[at] = highest;
  }
  return corrected;
}
