// All that a report of a run is made of, whichever form it takes. Reading it is another's work; here it is put in order.
import type { RunLog } from "../../agents/log/run-log.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";
import { callStateOf, isCall } from "./call-facts.ts";

/** What a call left in a worktree of its own. */
export interface KeptWorktree {
  readonly number: number;
  readonly path: string;
  readonly branch: string;
  /** A line for each file and one for all; null where it cannot be told any more. */
  readonly diffstat: readonly string[] | null;
  /** The change itself; null where it is too large or gone. */
  readonly patch: string | null;
}

export interface WorkflowReport {
  readonly run: RunRecord;
  /** In order of number. */
  readonly entries: readonly JournalEntry[];
  /** The logs of the agents' runs, by the number of the call; those that are still there. */
  readonly logs: ReadonlyMap<number, readonly RunLog[]>;
  readonly worktrees: readonly KeptWorktree[];
  readonly now: number;
}

export const callsOf = ({ entries }: WorkflowReport): JournalEntry[] => entries.filter(isCall);

export const failuresOf = (report: WorkflowReport): JournalEntry[] =>
  callsOf(report).filter((entry) => callStateOf(entry) === "failed");

export const startedAgainIn = (report: WorkflowReport): JournalEntry[] =>
  callsOf(report).filter(({ starts }) => starts > 1);

export const waitingIn = (report: WorkflowReport): JournalEntry[] =>
  callsOf(report).filter((entry) => callStateOf(entry) === "waits");

/** The result as text: words as they are, data as JSON, nothing where there is none. */
export function resultText({ result }: Pick<RunRecord, "result">): string {
  if (result === undefined) return "";
  return typeof result === "string" ? result : JSON.stringify(result, null, 2);
}
