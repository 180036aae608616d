// What anybody may want of a run, from any process: it is written into the journal, and the owner looks there. A run without
// an owner is changed at once.
import { fault } from "../../core/command/fault.ts";
import type { Journal, JournalEntry, RunRecord } from "../journal/journal.ts";
import type { RunExecution } from "./execution.ts";

/** When what is wanted comes about. */
export type Taking =
  /** The owner sees it within a moment. */
  | { readonly kind: "soon" }
  /** Nobody runs it, and the journal has it. */
  | { readonly kind: "now" }
  /** It counts when the run is resumed. */
  | { readonly kind: "at-resume" };

export const hasLivingOwner = ({ owner }: RunRecord): boolean => owner !== null;

const hasEnded = ({ status }: RunRecord): boolean =>
  status === "done" || status === "failed" || status === "stopped";

/** No new call starts; those under way go on. */
export function requestPause(journal: Journal, runId: string): Taking {
  const run = readRun(journal, runId);
  if (hasEnded(run)) throw refuse(`run \`${runId}\` has ended: ${run.status}`);
  journal.changeRun(runId, { requested: "pause" });
  if (hasLivingOwner(run)) return { kind: "soon" };
  journal.changeRun(runId, { status: "paused", reason: "somebody paused it", waitingUntil: null });
  return { kind: "now" };
}

/** Lifts a pause where the owner lives; else whoever resumes it must execute it. */
export function requestResume(journal: Journal, runId: string): Taking {
  const run = readRun(journal, runId);
  if (run.requested === "pause") journal.changeRun(runId, { requested: null });
  return { kind: hasLivingOwner(run) ? "soon" : "at-resume" };
}

/** Calls under way are ended; everything that is finished stays. */
export function requestStop(journal: Journal, runId: string): Taking {
  const run = readRun(journal, runId);
  if (hasEnded(run)) throw refuse(`run \`${runId}\` has ended: ${run.status}`);
  if (hasLivingOwner(run)) {
    journal.changeRun(runId, { requested: "stop" });
    return { kind: "soon" };
  }
  const endedAt = new Date().toISOString();
  const change = {
    status: "stopped",
    reason: STOPPED,
    waitingUntil: null,
    requested: null,
  } as const;
  journal.changeRun(runId, { ...change, endedAt });
  return { kind: "now" };
}

const STOPPED = "somebody stopped it";

/** The call is null to the script, and stays so until somebody wants it again. */
export function requestSkip(journal: Journal, runId: string, number: number): Taking {
  const { run, entry } = readCall(journal, runId, number);
  if (entry.status === "done") throw refuse(`call ${number} of \`${runId}\` is done`);
  if (entry.status === "running" && hasLivingOwner(run)) {
    journal.change(runId, number, { requested: "skip" });
    return { kind: "soon" };
  }
  journal.change(runId, number, { status: "skipped", requested: null, waiting: null });
  return { kind: "now" };
}

/** The call runs again; where its result was handed on already, when the run is resumed. */
export function requestRetry(journal: Journal, runId: string, number: number): Taking {
  const { run, entry } = readCall(journal, runId, number);
  journal.change(runId, number, { requested: "retry" });
  return { kind: entry.status === "running" && hasLivingOwner(run) ? "soon" : "at-resume" };
}

/** Forgets runs that ended before then, but for those that are kept; gives how many. */
export const pruneRuns = (
  journal: Pick<Journal, "removeRuns">,
  before: Date,
  kept: readonly string[] = [],
): number => journal.removeRuns(before.toISOString(), kept);

function readRun(journal: Journal, runId: string): RunRecord {
  const run = journal.readRun(runId);
  if (run === null) throw refuse(`there is no run \`${runId}\``);
  return run;
}

function readCall(
  journal: Journal,
  runId: string,
  number: number,
): { readonly run: RunRecord; readonly entry: JournalEntry } {
  const run = readRun(journal, runId);
  const entry = journal.readEntry(runId, number);
  if (entry === null) throw refuse(`run \`${runId}\` has no call ${number}`);
  return { run, entry };
}

const refuse = (problem: string) => fault("InputInvalid", { what: "workflow", problem });

/** One look of the owner at what others want. */
export function followRequests(execution: RunExecution): void {
  const { journal, run, live } = execution;
  const { requested, isOurs } = journal.watchRun(run.id);
  if (!isOurs) {
    const reason = "another process has taken the run";
    execution.finish({ kind: "left", reason }, { cancel: true });
    return;
  }
  if (requested === "stop")
    execution.finish({ kind: "stopped", reason: STOPPED }, { cancel: true });
  if ((requested === "pause") !== execution.isPaused) execution.pause(requested === "pause");
  for (const entry of journal.listRequested(run.id)) {
    const call = live.get(entry.number);
    if (call !== undefined && entry.requested !== null) call.cancel(entry.requested);
    // It has ended, or the workflow has not come to it yet. A request for another start stays until it does.
    else if (entry.requested === "skip") {
      const skipped =
        entry.status === "done" ? {} : ({ status: "skipped", waiting: null } as const);
      journal.change(run.id, entry.number, { ...skipped, requested: null });
    }
  }
}
