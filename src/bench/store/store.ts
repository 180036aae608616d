// Where suites, trials and results live. SQLite in this process or PostgreSQL over many machines: the
// code above knows only this.
import type { TrialPlan, TrialResult } from "../suite/trial.ts";

export interface SuiteRunRecord {
  readonly id: string;
  readonly suite: string;
  readonly suiteFile: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly state: "running" | "done" | "cancelled";
  readonly trials: number;
  /** The suite as it was, as JSON. */
  readonly definition: string;
  readonly concurrency: number;
  readonly usdLimit: number | null;
}

export interface ClaimingWorker {
  readonly id: string;
  readonly labels: readonly string[];
  readonly now: Date;
  /**
   * So many more than the run's limit it may hold, ready but not begun; none by default. For a worker that
   * drives its run alone: where many share a run, the limit counts.
   */
  readonly ahead?: number;
}

/** A trial this worker holds until it completes it, gives it back, or falls silent. */
export interface TrialClaim {
  readonly plan: TrialPlan;
  /** From 1. */
  readonly attempt: number;
  readonly token: string;
  /** The run has spent what it may: the trial ends as `limit` without being run. */
  readonly isOverBudget: boolean;
}

/** A worker that said nothing for so long has lost its trial to the others. */
export const HEARTBEAT_LAPSE_MS = 10_000;

export type ClaimAnswer =
  | { readonly kind: "claimed"; readonly claim: TrialClaim }
  /** Nothing now; look again then at the latest. */
  | { readonly kind: "wait"; readonly ms: number }
  /** Every trial of the run has its result, or the run was cancelled. */
  | { readonly kind: "finished" };

export interface BenchStore {
  /** What a line to type needs so that it means this store, with a space before it; empty for the one of this machine. */
  readonly hintFlag: string;
  /** The run and all of its trials in one transaction; trials whose result is known come with it. */
  createRun(
    run: SuiteRunRecord,
    plans: readonly TrialPlan[],
    known: readonly TrialResult[],
  ): Promise<void>;
  /** Without a run: of any. Honours the limits of run and agent over all workers. */
  claim(worker: ClaimingWorker, runId: string | null): Promise<ClaimAnswer>;
  /** False where the claim was lost or the run was cancelled: stop working on it. */
  heartbeat(claim: TrialClaim): Promise<boolean>;
  /** Result and completion in one transaction; false where somebody else's result counts. */
  complete(claim: TrialClaim, result: TrialResult): Promise<boolean>;
  /** Back into the queue, not before `notBefore`. */
  retry(claim: TrialClaim, notBefore: Date): Promise<boolean>;
  /** As if it had never been taken: a try that was cut off is none. */
  giveBack(claim: TrialClaim): Promise<boolean>;
  /** Where one process drives a run: what it held when it died goes back into the queue at once. */
  releaseClaims?(runId: string): Promise<void>;
  cancelRun(runId: string): Promise<void>;
  finishRun(runId: string, at: string): Promise<void>;
  /**
   * With its trials and its results. Content that nothing needs goes with it where it was put before that
   * time: what is younger may belong to a result that is about to be written.
   */
  removeRun(runId: string, putBefore: Date): Promise<void>;
  findRun(runId: string): Promise<SuiteRunRecord | null>;
  listRuns(suite: string | null): Promise<readonly SuiteRunRecord[]>;
  results(runId: string): Promise<readonly TrialResult[]>;
  /** Graded results with one of these fingerprints, newest first. */
  findKnown(fingerprints: readonly string[]): Promise<readonly TrialResult[]>;
  putContent(bytes: Uint8Array): Promise<string>;
  getContent(hash: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
