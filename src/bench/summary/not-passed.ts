import type { Ending, TrialResult } from "../trial.ts";

/** Trials of a case and an agent that did not pass for the same reason. */
export interface NotPassed {
  readonly caseId: string;
  readonly agentId: string;
  readonly ending: Ending;
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
