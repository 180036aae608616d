// Whether two agents differ on the same cases: an exact test that holds each case's number of passes
// fixed, so that a hard case weighs against both alike. With one try per case it is McNemar's exact
// test, with one case Fisher's.
import type { Tally } from "./pass-at-k.ts";

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
