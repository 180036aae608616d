import { passAtK, passEveryK, type Tally } from "../statistics/pass-at-k.ts";
import { mean } from "../statistics/spread.ts";
import type { TrialResult } from "../trial.ts";
import { compareAgents } from "./compare-agents.ts";
import { figuresOf } from "./figures.ts";
import type { CellSummary, RunSummary, SeveralTries } from "./run-summary.ts";

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
