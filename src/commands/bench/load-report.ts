import * as z from "zod/mini";
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
      {
        what: "`adj bench`",
        problem:
          beginning === undefined ? "there are no runs yet" : `there is no run \`${beginning}\``,
      },
      {
        hint: runs.length === 0 ? "`adj bench SUITE` makes one" : "`adj bench history` lists them",
      },
    );
  if (beginning !== undefined && fitting.length > 1)
    throw fault(
      "InputInvalid",
      { what: "`adj bench`", problem: `\`${beginning}\` begins ${fitting.length} runs` },
      { hint: "give more of the id" },
    );
  return newest;
}

const ENTRIES = z.array(z.object({ id: z.string(), unsupported: z.nullish(z.string()) }));
const DEFINITION = z.object({ suite: z.object({ agents: ENTRIES, cases: ENTRIES }) });

/** The agents and cases that were to be tried, also those of which nothing has come yet. */
function plannedIds({ definition }: RunRecord) {
  const { suite } = DEFINITION.parse(JSON.parse(definition));
  const runnable = suite.cases.filter(({ unsupported }) => unsupported == null);
  return { agents: suite.agents.map(({ id }) => id), cases: runnable.map(({ id }) => id) };
}

export async function loadReport(
  store: BenchStore,
  run: RunRecord,
  bars: readonly Bar[],
): Promise<RunReport> {
  const results = await store.results(run.id);
  const summary = summarizeRun(results, { ...plannedIds(run), trials: run.trials });
  return { run, summary, results, missed: findMissed(summary, bars), worse: [] };
}
