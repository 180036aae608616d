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
import { fault } from "../../command/fault.ts";
import { type CommandResult, fail, ok } from "../../command/result.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
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
  const loaded = await loadReport(store, await findRunRecord(store, runId), bars);
  checkBarAgents(
    bars,
    loaded.summary.agents.map(({ agentId }) => agentId),
  );
  const report = await compareWithBaseline(loaded, store, args.baseline);
  const printed = await writeReports(report, { store, args, place });
  const text = printed ?? terminalReport(report, screenWidth(place.context));
  const output = args.github ? `${text.trimEnd()}\n${githubAnnotations(report)}` : text;
  const { run, summary, missed, worse, results } = report;
  const metadata = { run: run.id, suite: run.suite, summary, missed, worse, results };
  const failure = decideFailure(report);
  if (failure === null) return ok(output, metadata);
  // Where progress was shown, nothing else would say why the run counts as failed; below the report it is seen.
  await place.context.write(output.endsWith("\n") ? output : `${output}\n`);
  await place.context.write(`${failure.message}\n`, "stderr");
  return { ...fail(failure.message, failure.exitCode, metadata), output };
}

/** A bar that could not be measured because trials are missing is not the agent's failure. */
function decideFailure({ missed, worse, summary, run }: RunReport) {
  const isWhole = run.trials > 0 && summary.agents.every(({ coverage }) => coverage === 1);
  const counting = isWhole ? missed : missed.filter(({ value }) => value !== null);
  if (counting.length > 0 || worse.length > 0)
    return { message: "a bar was missed", exitCode: BAR_MISSED };
  if (isWhole) return null;
  return { message: sayMissing(run.trials, summary.trials), exitCode: COULD_NOT_RUN };
}

function sayMissing(planned: number, done: number): string {
  if (planned === 0) return "no case can be run here; `adj bench plan` says why";
  if (done < planned) return `${planned - done} of ${planned} trials have no result yet`;
  return "some trials could not run; see their reasons";
}

/** With who got worse; a run that nothing can be compared with holds no bar. */
async function compareWithBaseline(
  report: RunReport,
  store: BenchStore,
  baseline: string | undefined,
): Promise<RunReport> {
  if (baseline === undefined) return report;
  const { id } = await findRunRecord(store, baseline);
  const before = Map.groupBy(await store.results(id), ({ agentId }) => agentId);
  const now = Map.groupBy(report.results, ({ agentId }) => agentId);
  const ids = report.summary.agents.map(({ agentId }) => agentId);
  const compared = ids.flatMap((name) => {
    const earlier = { name: `${name} before`, results: before.get(name) ?? [] };
    return compareResults({ name, results: now.get(name) ?? [] }, earlier) ?? [];
  });
  const bar = `worse than ${id.slice(0, 8)}`;
  const unknown = compared.length > 0 ? [] : ids.map((agentId) => ({ agentId, bar, value: null }));
  return {
    ...report,
    missed: [...report.missed, ...unknown],
    worse: compared.filter(({ verdict }) => verdict === "right"),
  };
}

interface Writing {
  readonly store: BenchStore;
  readonly args: BenchArguments;
  readonly place: BenchPlace;
}

/** Into the files that were named; what is for the output instead is given back. */
async function writeReports(
  report: RunReport,
  { store, args, place }: Writing,
): Promise<string | null> {
  const forms = [
    { flag: "--md", file: args.md, write: async () => markdownReport(report) },
    { flag: "--junit", file: args.junit, write: async () => junitReport(report) },
    {
      flag: "--html",
      file: args.html,
      write: async () => {
        const { htmlReport } = await import("../../bench/report/html-report.ts");
        return htmlReport(report, (hash) => store.getContent(hash));
      },
    },
  ];
  let printed: string | null = null;
  for (const { flag, file, write } of forms) {
    if (file === undefined) continue;
    const text = await write();
    if (file === "-") printed = text;
    else await writeReport(resolve(place.context.workingDirectory, file), text, { flag, report });
  }
  return printed;
}

interface Written {
  readonly flag: string;
  readonly report: RunReport;
}

/** Not put in place by a rename: the file may be `/dev/stdout`. */
async function writeReport(file: string, text: string, { flag, report }: Written): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const why = errorCode(error) === "ENOENT" ? "its folder does not exist" : problemOf(error);
    throw fault(
      "InputInvalid",
      { what: `\`${flag}\``, problem: `\`${file}\` cannot be written: ${why}` },
      { hint: `nothing is lost: \`adj bench report ${report.run.id.slice(0, 8)}\``, cause: error },
    );
  }
}
