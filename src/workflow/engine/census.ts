// How a run ended, in numbers: beside its result always stands what is missing of it.
import type { JsonValue } from "../../core/command/context.ts";
import type { EntryKey, Journal, RunTotals } from "../journal/journal.ts";

export interface RunCensus extends RunTotals {
  /** Effects of other kinds that failed or were skipped: commands, questions. */
  readonly otherFailed: number;
  /** Started more than once: their owner died, their quota was used up, or somebody wanted them again. */
  readonly startedAgain: readonly { readonly number: number; readonly starts: number }[];
}

export type RunEnding =
  | {
      readonly kind: "done";
      /** Undefined where the script returned nothing. */
      readonly result: JsonValue | undefined;
      readonly census: RunCensus;
    }
  /** The script threw, or a stage had nowhere to go. */
  | { readonly kind: "failed"; readonly reason: string; readonly census: RunCensus }
  | { readonly kind: "stopped"; readonly reason: string; readonly census: RunCensus }
  /** This process leaves it; it runs, waits or is paused until another goes on. */
  | { readonly kind: "left"; readonly reason: string; readonly census: RunCensus };

export function takeCensus(totals: RunTotals, entries: readonly EntryOutcome[]): RunCensus {
  return {
    ...totals,
    otherFailed: entries.filter(
      ({ kind, status }) => kind !== "agent" && (status === "failed" || status === "skipped"),
    ).length,
    startedAgain: entries
      .filter(({ starts }) => starts > 1)
      .map(({ number, starts }) => ({ number, starts })),
  };
}

type EntryOutcome = Pick<EntryKey, "kind" | "status" | "number" | "starts">;

export const readCensus = (
  journal: Pick<Journal, "totals" | "listKeys">,
  runId: string,
): RunCensus => takeCensus(journal.totals(runId), journal.listKeys(runId));

/** 0 done · 1 done with failed calls, or failed · 3 incomplete: stopped, out of budget, waiting. */
export function exitCodeOf(ending: RunEnding): 0 | 1 | 3 {
  if (ending.kind === "stopped" || ending.kind === "left") return 3;
  if (ending.kind === "failed") return 1;
  const { failed, skipped, otherFailed } = ending.census;
  return failed + skipped + otherFailed > 0 ? 1 : 0;
}
