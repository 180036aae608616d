// The end of a run: its report in every form that was asked for, and what it means for whoever waits.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { BenchStore } from "../../bench/queue.ts";
import { githubAnnotations } from "../../bench/report/github-annotations.ts";
import { junitReport } from "../../bench/report/junit-report.ts";
import { markdownReport } from "../../bench/report/markdown-report.ts";
import type { RunReport } from "../../bench/report/run-report.ts";
import { terminalReport } from "../../bench/report/terminal-report.ts";
import { compareResults } from "../../bench/summary/compare-agents.ts";
import type { Comparison } from "../../bench/summary/run-summary.ts";
import { type CommandResult, fail, ok } from "../../command/result.ts";
import { screenWidth } from "../screen-width.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { checkBarAgents, readBars } from "./check-bars.ts";
import { findRunRecord, loadReport } from "./load-report.ts";

const BAR_MISSED = 1;
const COULD_NOT_RUN = 3;

export interface Concluding {
  readonly runId: string;
  readonly store: BenchStore;
  readonly args: BenchArguments;
}

export async function concludeRun(
  { runId, store, args }: Concluding,
  place: BenchPlace,
): Promise<CommandResult> {
  const bars = readBars(args);
  const report = await loadReport(store, await findRunRecord(store, runId), bars);
  checkBarAgents(
    bars,
    report.summary.agents.map(({ agentId }) => agentId),
  );
  await writeReports(report, { store, args, place });
  const worse = await compareWithBaseline(report, store, args.baseline);
  const text =
    args.md === "-" ? markdownReport(report) : terminalReport(report, screenWidth(place.context));
  const annotations = args.github ? githubAnnotations(report) : "";
  const output = [text, ...worse.map(({ left }) => `worse than before: ${left}`), annotations]
    .filter((part) => part !== "")
    .join("\n");
  const { run, summary, missed } = report;
  const metadata = {
    run: run.id,
    suite: run.suite,
    summary,
    missed,
    worse,
    results: report.results,
  };
  const isBarMissed = missed.length > 0 || worse.length > 0;
  const isCovered = summary.agents.every(({ coverage }) => coverage === 1);
  const result = answer(output, metadata, {
    isBarMissed,
    isCovered: isCovered && summary.trials === run.trials && run.trials > 0,
  });
  // Where progress was shown, nothing else would say why the run counts as failed.
  if (result.errorOutput !== null) await place.context.write(`${result.errorOutput}\n`, "stderr");
  return result;
}

/** The report is what was asked for; the exit code says what it means. */
function answer(
  output: string,
  metadata: Record<string, unknown>,
  { isBarMissed, isCovered }: { isBarMissed: boolean; isCovered: boolean },
): CommandResult {
  if (!isBarMissed && isCovered) return ok(output, metadata);
  const failed = isBarMissed
    ? fail("a bar was missed", BAR_MISSED, metadata)
    : fail("some trials could not run; see their reasons", COULD_NOT_RUN, metadata);
  return { ...failed, output };
}

async function compareWithBaseline(
  { results, summary }: RunReport,
  store: BenchStore,
  baseline: string | undefined,
): Promise<Comparison[]> {
  if (baseline === undefined) return [];
  const before = await store.results((await findRunRecord(store, baseline)).id);
  return summary.agents.flatMap(({ agentId }) => {
    const side = (all: typeof results) => all.filter((result) => result.agentId === agentId);
    const compared = compareResults(
      { name: agentId, results: side(results) },
      { name: `${agentId} before`, results: side(before) },
    );
    return compared?.verdict === "right" ? [compared] : [];
  });
}

interface Writing {
  readonly store: BenchStore;
  readonly args: BenchArguments;
  readonly place: BenchPlace;
}

async function writeReports(report: RunReport, { store, args, place }: Writing): Promise<void> {
  const at = (file: string) => resolve(place.context.workingDirectory, file);
  if (args.md !== undefined && args.md !== "-")
    await writeFile(at(args.md), markdownReport(report));
  if (args.junit !== undefined) await writeFile(at(args.junit), junitReport(report));
  if (args.html !== undefined) {
    const { htmlReport } = await import("../../bench/report/html-report.ts");
    await writeFile(at(args.html), await htmlReport(report, (hash) => store.getContent(hash)));
  }
}
