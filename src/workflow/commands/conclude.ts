// The end of a run for whoever waits for it: the result on the output, the census and the cost beside it, an exit code.
import { type CommandResult, fail, ok } from "../../core/command/result.ts";
import { exitCodeOf, type RunCensus } from "../engine/census.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";
import { type CallState, callStateOf, describeTrouble, isCall } from "../report/call-facts.ts";
import { resultText } from "../report/report.ts";
import { describeStatus, type RunCost, runFigures, sumCost } from "../report/run-summary.ts";

/** What `--json` has besides. */
export interface RunOutcome extends Record<string, unknown> {
  readonly run: string;
  readonly workflow: string;
  readonly status: RunRecord["status"];
  readonly reason: string | null;
  readonly result: RunRecord["result"] | null;
  readonly census: RunCensus;
  readonly cost: RunCost;
}

/** A run as it stands in the journal. */
export interface ReadRun {
  readonly run: RunRecord;
  readonly entries: readonly JournalEntry[];
  readonly census: RunCensus;
}

export const describeOutcome = ({ run, entries, census }: ReadRun): RunOutcome => ({
  run: run.id,
  workflow: run.workflow,
  status: run.status,
  reason: run.reason,
  result: run.result ?? null,
  census,
  cost: sumCost(entries),
});

/** 0 done, 1 failed or done with failed calls, 3 not whole. */
function exitCodeOfRun({ status, result, reason }: RunRecord, census: RunCensus): number {
  const why = { reason: reason ?? "", census };
  if (status === "done") return exitCodeOf({ kind: "done", result, census });
  return exitCodeOf({ kind: status === "failed" ? "failed" : "stopped", ...why });
}

/** `isInside`: it lived in this process, and nobody goes on with it by himself. */
export function concludeRun(read: ReadRun, isInside: boolean): CommandResult {
  const { run, census } = read;
  const outcome = describeOutcome(read);
  const exitCode = exitCodeOfRun(run, census);
  const output = resultText(run);
  if (exitCode === 0) return ok(output, outcome);
  return { ...fail(explainEnding(read, isInside), exitCode, outcome), output };
}

const MAX_NAMED = 5;
const NOT_DONE = new Set<CallState>(["failed", "skipped"]);

/** Why it does not count as done, what failed, and what to type next. */
function explainEnding({ run, entries }: ReadRun, isInside: boolean): string {
  const failed = entries.filter((entry) => isCall(entry) && NOT_DONE.has(callStateOf(entry)));
  const named = failed
    .filter(({ problem }) => problem === null || run.reason?.includes(problem.message) !== true)
    .slice(0, MAX_NAMED)
    .map(
      (entry) =>
        `  ${entry.number} ${entry.label}: ${describeTrouble(entry) ?? callStateOf(entry)}`,
    );
  const more = failed.length > MAX_NAMED ? [`  … and ${failed.length - MAX_NAMED} more`] : [];
  const figures = runFigures(run, entries, Date.now()).join(" · ");
  const head =
    run.status === "done"
      ? `${run.workflow} is done, but not everything went well (${figures})`
      : `${run.workflow} ${describeStatus(run)} (${figures})`;
  return [head, ...named, ...more, nextStep(run, isInside)].join("\n");
}

function nextStep({ id, status, reason }: RunRecord, isInside: boolean): string {
  if (status === "done")
    return `look: \`adj workflow report ${id}\`; try one again: \`adj workflow retry ${id} CALL\``;
  const isOpen = status === "running" || status === "waiting";
  if (isOpen && isInside)
    return `nothing is lost; answer it, then go on: \`adj workflow resume ${id}\``;
  if (isOpen)
    return `it goes on in the host; follow it: \`adj workflow resume ${id}\`, end it: \`adj workflow stop ${id}\``;
  const budget = reason?.includes("budget") === true ? " --budget …" : "";
  return `nothing is lost; go on with it: \`adj workflow resume ${id}${budget}\``;
}
