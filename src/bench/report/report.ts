// What every report is made of.
import type { SuiteRunRecord } from "../store/store.ts";
import type { TrialEnding, TrialResult } from "../suite/trial.ts";
import type { MissedBar } from "./bars.ts";
import type { Comparison, RunSummary } from "./summary.ts";

/** All that any report is made of. */
export interface RunReport {
  readonly run: SuiteRunRecord;
  readonly summary: RunSummary;
  readonly results: readonly TrialResult[];
  readonly missed: readonly MissedBar[];
  /** A line for agents that ran with the person's rights. */
  readonly unconfined: readonly string[];
  /** Agents that got worse than they were in an earlier run. */
  readonly worse: readonly Comparison[];
  /** Of the store: see `BenchStore`. */
  readonly hintFlag: string;
}

/** Trials of a case and an agent that did not pass for the same reason. */
export interface NotPassed {
  readonly caseId: string;
  readonly agentId: string;
  readonly ending: TrialEnding;
  readonly reason: string;
  readonly times: number;
}

/** Every reason once, in the order of the trials. */
export function groupNotPassed(results: readonly TrialResult[]): NotPassed[] {
  const failed = results.filter(({ ending }) => ending !== "passed");
  const groups = Map.groupBy(failed, ({ caseId, agentId, ending, reason }) =>
    JSON.stringify([caseId, agentId, ending, reason]),
  );
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ caseId, agentId, ending, reason }) => ({
      caseId,
      agentId,
      ending,
      reason: reason ?? "",
      times: same.length,
    })),
  );
}
