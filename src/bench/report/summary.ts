// What a run's results say, as numbers. Every report is a rendering of this.
import {
  type Interval,
  mean,
  passAtK,
  passEveryK,
  type Spread,
  spreadOf,
  type Tally,
  wilsonInterval,
} from "../statistics/estimates.ts";
import { type CasePair, differenceOf, holmCorrection, pairedTest } from "../statistics/paired.ts";
import type { TrialEnding, TrialResult } from "../suite/trial.ts";

export interface Figures {
  /** Trials that count: all but `infra` and `cancelled`. */
  readonly tally: Tally;
  /** Null where none counts. */
  readonly passRate: number | null;
  readonly interval: Interval | null;
  /** The share of trials that count; beside every rate, since what could not run is left out of it. */
  readonly coverage: number;
  readonly endings: Readonly<Partial<Record<TrialEnding, number>>>;
  readonly meanScore: number | null;
  readonly costUsd: Spread | null;
  readonly agentMs: Spread | null;
  readonly tokens: Spread | null;
  readonly turns: Spread | null;
  /** What is known of the cost, of all that count. */
  readonly totalUsd: number | null;
  /** Some did not say what they cost: what is known is the least it can have been. */
  readonly isCostPartial: boolean;
  readonly usdPerSolved: number | null;
}

export interface CellSummary extends Figures {
  readonly agentId: string;
  readonly caseId: string;
  readonly severalTries: readonly SeveralTries[];
  /** Passed some times and not others. */
  readonly isFlaky: boolean;
}

interface SeveralTries {
  readonly k: number;
  /** The chance that one of k passes, and that all do; of an agent, the mean over its cases. */
  readonly once: number;
  readonly always: number;
}

export interface AgentSummary extends Figures {
  readonly agentId: string;
  readonly severalTries: readonly SeveralTries[];
  readonly models: readonly string[];
  readonly versions: readonly string[];
}

export interface Comparison {
  readonly left: string;
  readonly right: string;
  /** Of the mean pass rate over the cases both were tried on, left minus right. */
  readonly difference: number;
  readonly interval: Interval;
  /** As if no other pair had been compared. */
  readonly p: number;
  /** By Holm's method, for all the pairs that were compared at once: what the verdict goes by. */
  readonly correctedP: number;
  /** How many were compared at once. */
  readonly pairs: number;
  readonly verdict: "left" | "right" | "no difference shown";
  readonly cases: number;
}

export interface RunSummary {
  readonly agents: readonly AgentSummary[];
  readonly cases: readonly string[];
  readonly cells: readonly CellSummary[];
  readonly comparisons: readonly Comparison[];
  readonly trials: number;
  readonly reused: number;
}

export interface SummaryPlan {
  /** In the order of the suite. */
  readonly agents: readonly string[];
  readonly cases: readonly string[];
  /** Of all agents and cases together, each the same number; those that are there by default. */
  readonly trials?: number;
}

export function summarizeRun(results: readonly TrialResult[], plan: SummaryPlan): RunSummary {
  const byAgent = Map.groupBy(results, ({ agentId }) => agentId);
  const perCell = Math.round((plan.trials ?? 0) / (plan.agents.length * plan.cases.length || 1));
  const cells = plan.agents.flatMap((agentId) => {
    const byCase = Map.groupBy(byAgent.get(agentId) ?? [], ({ caseId }) => caseId);
    return plan.cases.map((caseId) => ({
      agentId,
      caseId,
      ...summarizeCell(byCase.get(caseId) ?? [], perCell),
    }));
  });
  return {
    agents: plan.agents.map((agentId) => {
      const own = cells.filter((cell) => cell.agentId === agentId);
      const all = byAgent.get(agentId) ?? [];
      return { agentId, ...figuresOf(all, perCell * own.length), ...summarizeTries(all, own) };
    }),
    cases: plan.cases,
    cells,
    comparisons: compareAgents(results, plan.agents),
    trials: results.length,
    reused: results.filter(({ reusedFrom }) => reusedFrom !== null).length,
  };
}

function summarizeCell(results: readonly TrialResult[], planned: number) {
  const figures = figuresOf(results, planned);
  const { passed, trials } = figures.tally;
  return {
    ...figures,
    severalTries: severalTries([figures.tally]),
    isFlaky: passed > 0 && passed < trials,
  };
}

const summarizeTries = (results: readonly TrialResult[], cells: readonly CellSummary[]) => ({
  severalTries: severalTries(cells.map(({ tally }) => tally)),
  models: distinct(results.map(({ model }) => model)),
  versions: distinct(results.map(({ agentVersion }) => agentVersion)),
});

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].toSorted();

const TRIES = [1, 2, 3, 5, 8, 10];

/** As far as every case was tried that often. */
function severalTries(tallies: readonly Tally[]): SeveralTries[] {
  const tried = tallies.filter(({ trials }) => trials > 0);
  const most = Math.min(...tried.map(({ trials }) => trials));
  return TRIES.filter((k) => tried.length > 0 && k <= most).map((k) => ({
    k,
    once: mean(tried.map((tally) => passAtK(tally, k) ?? 0)) ?? 0,
    always: mean(tried.map((tally) => passEveryK(tally, k) ?? 0)) ?? 0,
  }));
}

/** What could not run says nothing about the agent. */
export const isCounted = ({ ending }: TrialResult): boolean =>
  ending !== "infra" && ending !== "cancelled";

/** `planned` are the trials there should be; those that never came are missing from the coverage. */
function figuresOf(results: readonly TrialResult[], planned: number): Figures {
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

function countEndings(results: readonly TrialResult[]): Partial<Record<TrialEnding, number>> {
  const counts: Partial<Record<TrialEnding, number>> = {};
  for (const { ending } of results) counts[ending] = (counts[ending] ?? 0) + 1;
  return counts;
}

/** How unlikely chance alone must be before a difference is called one. */
const SHOWN_BELOW = 0.05;

/** Every two agents on the cases that both were tried on. */
function compareAgents(results: readonly TrialResult[], agents: readonly string[]): Comparison[] {
  const compared = agents.flatMap((left, at) =>
    agents.slice(at + 1).flatMap((right) => {
      const comparison = compareResults(
        { name: left, results: results.filter(({ agentId }) => agentId === left) },
        { name: right, results: results.filter(({ agentId }) => agentId === right) },
      );
      return comparison === null ? [] : [comparison];
    }),
  );
  return correctForMany(compared);
}

/** Of twenty pairs that are equal, one would be called different by chance: the more there are, the more each must show. */
export function correctForMany(comparisons: readonly Comparison[]): Comparison[] {
  const corrected = holmCorrection(comparisons.map(({ p }) => p));
  return comparisons.map((comparison, at) =>
    decideComparison({
      ...comparison,
      correctedP: corrected[at] ?? comparison.p,
      pairs: comparisons.length,
    }),
  );
}

export interface ComparedResults {
  readonly name: string;
  readonly results: readonly TrialResult[];
}

/** Null where no case was tried by both. */
export function compareResults(left: ComparedResults, right: ComparedResults): Comparison | null {
  const pairs = pairCases(left.results, right.results);
  const difference = differenceOf(pairs);
  if (difference === null) return null;
  const p = pairedTest(pairs);
  return decideComparison({
    left: left.name,
    right: right.name,
    difference: difference.value,
    interval: { low: difference.low, high: difference.high },
    p,
    correctedP: p,
    pairs: 1,
    cases: pairs.length,
  });
}

/** The exact test decides; the interval beside it claims neither more nor less. */
function decideComparison(compared: Omit<Comparison, "verdict">): Comparison {
  const { difference, interval, correctedP } = compared;
  const { low, high } = interval;
  if (correctedP >= SHOWN_BELOW || difference === 0)
    return {
      ...compared,
      interval: { low: Math.min(0, low), high: Math.max(0, high) },
      verdict: "no difference shown",
    };
  return difference > 0
    ? { ...compared, interval: { low: Math.max(0, low), high }, verdict: "left" }
    : { ...compared, interval: { low, high: Math.min(0, high) }, verdict: "right" };
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
