import { mean, spreadOf } from "../statistics/spread.ts";
import { wilsonInterval } from "../statistics/wilson-interval.ts";
import type { Ending, TrialResult } from "../trial.ts";
import type { Figures } from "./run-summary.ts";

/** What could not run says nothing about the agent. */
export const isCounted = ({ ending }: TrialResult): boolean =>
  ending !== "infra" && ending !== "cancelled";

/** `planned` are the trials there should be; those that never came are missing from the coverage. */
export function figuresOf(results: readonly TrialResult[], planned: number): Figures {
  const counted = results.filter(isCounted);
  const passed = counted.filter(({ ending }) => ending === "passed").length;
  const costs = known(counted.map(({ costUsd }) => costUsd));
  const totalUsd = costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
  return {
    tally: { passed, trials: counted.length },
    passRate: counted.length === 0 ? null : passed / counted.length,
    interval: wilsonInterval(passed, counted.length),
    coverage: counted.length / Math.max(1, planned, results.length),
    endings: countEndings(results),
    meanScore: mean(known(counted.map(({ score }) => score))),
    costUsd: spreadOf(costs),
    agentMs: spreadOf(known(counted.map(({ agentMs }) => agentMs))),
    tokens: spreadOf(known(counted.map(({ tokens }) => tokens))),
    turns: spreadOf(known(counted.map(({ turns }) => turns))),
    totalUsd,
    isCostPartial: totalUsd !== null && costs.length < counted.length,
    usdPerSolved: totalUsd === null || passed === 0 ? null : totalUsd / passed,
  };
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);

function countEndings(results: readonly TrialResult[]): Partial<Record<Ending, number>> {
  const counts: Partial<Record<Ending, number>> = {};
  for (const { ending } of results) counts[ending] = (counts[ending] ?? 0) + 1;
  return counts;
}
