import {
  bootstrapDifference,
  meanDifference,
  type ScorePair,
} from "../statistics/bootstrap-difference.ts";
import { pairedTest } from "../statistics/paired-test.ts";
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
  const difference = meanDifference(pairs);
  const interval = bootstrapDifference(pairs);
  if (difference === null || interval === null) return null;
  const p = pairedTest(pairs.map((pair) => ({ left: tally(pair.left), right: tally(pair.right) })));
  return {
    left: left.name,
    right: right.name,
    difference,
    interval,
    p,
    verdict: p >= SHOWN_BELOW ? "no difference shown" : difference > 0 ? "left" : "right",
    cases: pairs.length,
  };
}

function pairCases(left: readonly TrialResult[], right: readonly TrialResult[]): ScorePair[] {
  const [ofLeft, ofRight] = [passesByCase(left), passesByCase(right)];
  return [...ofLeft].flatMap(([caseId, passes]) => {
    const others = ofRight.get(caseId);
    return others === undefined ? [] : [{ left: passes, right: others }];
  });
}

function passesByCase(results: readonly TrialResult[]): Map<string, number[]> {
  const byCase = new Map<string, number[]>();
  for (const result of results.filter(isCounted)) {
    const passes = byCase.get(result.caseId) ?? [];
    passes.push(result.ending === "passed" ? 1 : 0);
    byCase.set(result.caseId, passes);
  }
  return byCase;
}

const tally = (passes: readonly number[]) => ({
  passed: passes.reduce((sum, pass) => sum + pass, 0),
  trials: passes.length,
});
