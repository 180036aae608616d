import { differenceOf } from "../statistics/difference-interval.ts";
import { type CasePair, pairedTest } from "../statistics/paired-test.ts";
import type { Tally } from "../statistics/pass-at-k.ts";
import type { Interval } from "../statistics/wilson-interval.ts";
import type { TrialResult } from "../trial.ts";
import { isCounted } from "./figures.ts";
import type { Comparison } from "./run-summary.ts";

/** How unlikely chance alone must be before a difference is called one. */
const SHOWN_BELOW = 0.05;

/** Every two agents on the cases that both were tried on. */
export function compareAgents(
  results: readonly TrialResult[],
  agents: readonly string[],
): Comparison[] {
  return agents.flatMap((left, at) =>
    agents.slice(at + 1).flatMap((right) => {
      const comparison = compareResults(
        { name: left, results: results.filter(({ agentId }) => agentId === left) },
        { name: right, results: results.filter(({ agentId }) => agentId === right) },
      );
      return comparison === null ? [] : [comparison];
    }),
  );
}

export interface Side {
  readonly name: string;
  readonly results: readonly TrialResult[];
}

/** Null where no case was tried by both. */
export function compareResults(left: Side, right: Side): Comparison | null {
  const pairs = pairCases(left.results, right.results);
  const difference = differenceOf(pairs);
  if (difference === null) return null;
  const p = pairedTest(pairs);
  const interval = agreeWithTest(difference, p);
  return {
    left: left.name,
    right: right.name,
    difference: difference.value,
    interval,
    p,
    verdict: decideVerdict(interval),
    cases: pairs.length,
  };
}

/** The exact test is the stricter one: what it does not show, the interval must not claim. */
const agreeWithTest = ({ low, high }: Interval, p: number): Interval =>
  p < SHOWN_BELOW ? { low, high } : { low: Math.min(0, low), high: Math.max(0, high) };

function decideVerdict({ low, high }: Interval): Comparison["verdict"] {
  if (low > 0) return "left";
  return high < 0 ? "right" : "no difference shown";
}

function pairCases(left: readonly TrialResult[], right: readonly TrialResult[]): CasePair[] {
  const [ofLeft, ofRight] = [tallyCases(left), tallyCases(right)];
  return [...ofLeft].flatMap(([caseId, tally]) => {
    const other = ofRight.get(caseId);
    return other === undefined ? [] : [{ left: tally, right: other }];
  });
}

function tallyCases(results: readonly TrialResult[]): Map<string, Tally> {
  const byCase = new Map<string, Tally>();
  for (const { caseId, ending } of results.filter(isCounted)) {
    const { passed, trials } = byCase.get(caseId) ?? { passed: 0, trials: 0 };
    byCase.set(caseId, { passed: passed + (ending === "passed" ? 1 : 0), trials: trials + 1 });
  }
  return byCase;
}
