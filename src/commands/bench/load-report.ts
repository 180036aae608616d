import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import type { RunReport } from "../../bench/report/run-report.ts";
import { type Bar, findMissed } from "../../bench/summary/bars.ts";
import { summarizeRun } from "../../bench/summary/summarize-run.ts";
import { fault } from "../../command/fault.ts";

/** By the beginning of its id; the newest of all without one. */
export async function findRunRecord(
  store: BenchStore,
  beginning: string | undefined,
): Promise<RunRecord> {
  const runs = await store.listRuns(null);
  const fitting = runs.filter(({ id }) => id.startsWith(beginning ?? ""));
  const newest = fitting.at(-1);
  if (newest === undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj bench`", problem: `there is no run \`${beginning ?? ""}\`` },
      { hint: "`adj bench history` lists them; `adj bench SUITE` makes one" },
    );
  if (beginning !== undefined && fitting.length > 1)
    throw fault(
      "InputInvalid",
      { what: "`adj bench`", problem: `\`${beginning}\` begins ${fitting.length} runs` },
      { hint: "give more of the id" },
    );
  return newest;
}

export async function loadReport(
  store: BenchStore,
  run: RunRecord,
  bars: readonly Bar[],
): Promise<RunReport> {
  const results = await store.results(run.id);
  const inOrder = (values: readonly string[]) => [...new Set(values)];
  const summary = summarizeRun(results, {
    agents: inOrder(results.map(({ agentId }) => agentId)),
    cases: inOrder(results.map(({ caseId }) => caseId)),
  });
  return { run, summary, results, missed: findMissed(summary, bars) };
}
