import type { RunRecord } from "../queue.ts";
import type { MissedBar } from "../summary/bars.ts";
import type { Comparison, RunSummary } from "../summary/run-summary.ts";
import type { TrialResult } from "../trial.ts";

/** All that any report is made of. */
export interface RunReport {
  readonly run: RunRecord;
  readonly summary: RunSummary;
  readonly results: readonly TrialResult[];
  readonly missed: readonly MissedBar[];
  /** Agents that got worse than they were in an earlier run. */
  readonly worse: readonly Comparison[];
}
