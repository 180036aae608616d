import { passAtK, passEveryK } from "../statistics/pass-at-k.ts";
import { mean } from "../statistics/spread.ts";
import type { TrialResult } from "../trial.ts";
import { compareAgents } from "./compare-agents.ts";
import { figuresOf } from "./figures.ts";
import type { AgentSummary, CellSummary, RunSummary, SeveralTries } from "./run-summary.ts";

export interface SummaryPlan {
  /** In the order of the suite. */
  readonly agents: readonly string[];
  readonly cases: readonly string[];
}

export function summarizeRun(results: readonly TrialResult[], plan: SummaryPlan): RunSummary {
  const byAgent = Map.groupBy(results, ({ agentId }) => agentId);
  const cells = plan.agents.flatMap((agentId) =>
    plan.cases.map((caseId) => summarizeCell(byAgent.get(agentId) ?? [], agentId, caseId)),
  );
  return {
    agents: plan.agents.map((agentId) => {
      const own = cells.filter((cell) => cell.agentId === agentId);
      return summarizeAgent(byAgent.get(agentId) ?? [], agentId, own);
    }),
    cases: plan.cases,
    cells,
    comparisons: compareAgents(results, plan.agents),
    trials: results.length,
    reused: results.filter(({ reusedFrom }) => reusedFrom !== null).length,
  };
}

function summarizeCell(
  results: readonly TrialResult[],
  agentId: string,
  caseId: string,
): CellSummary {
  const figures = figuresOf(results.filter((result) => result.caseId === caseId));
  const { passed, trials } = figures.tally;
  return { agentId, caseId, ...figures, isFlaky: passed > 0 && passed < trials };
}

function summarizeAgent(
  results: readonly TrialResult[],
  agentId: string,
  cells: readonly CellSummary[],
): AgentSummary {
  return {
    agentId,
    ...figuresOf(results),
    severalTries: severalTries(cells),
    models: distinct(results.map(({ model }) => model)),
    versions: distinct(results.map(({ agentVersion }) => agentVersion)),
  };
}

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].toSorted();

const TRIES = [1, 2, 3, 5, 8, 10];

/** As far as every case was tried that often. */
function severalTries(cells: readonly CellSummary[]): SeveralTries[] {
  const tried = cells.filter(({ tally }) => tally.trials > 0);
  const most = Math.min(...tried.map(({ tally }) => tally.trials));
  return TRIES.filter((k) => tried.length > 0 && k <= most).map((k) => ({
    k,
    once: mean(tried.map(({ tally }) => passAtK(tally, k) ?? 0)) ?? 0,
    always: mean(tried.map(({ tally }) => passEveryK(tally, k) ?? 0)) ?? 0,
  }));
}
