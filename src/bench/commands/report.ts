// `adj bench report`, and the end of every run: its report in each form that was asked for, and what it means for
// whoever waits.
import { resolve } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { nearestNames } from "../../core/command/names.ts";
import { type CommandResult, fail, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { writeNamedFile } from "../../core/project/files.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { type Bar, METRIC_NAMES, parseBar } from "../report/bars.ts";
import { githubAnnotations } from "../report/github.ts";
import { junitReport } from "../report/junit.ts";
import { markdownReport } from "../report/markdown.ts";
import type { RunReport } from "../report/report.ts";
import { compareResults, correctForMany } from "../report/summary.ts";
import { terminalReport } from "../report/terminal.ts";
import type { BenchStore } from "../store/store.ts";
import type { BenchArguments } from "./arguments.ts";
import { findRunRecord, loadReport, withStore } from "./context.ts";

/** The report of a run that is over, or as far as it has come. */
export const showReport = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const { id: runId } = await findRunRecord(store, args.words[0]);
    return concludeBenchRun({ runId, store, args }, bench);
  });

// The end of a run: its report in every form that was asked for, and what it means for whoever waits.

const BAR_MISSED = 1;
const COULD_NOT_RUN = 3;

export interface ConcludeOptions {
  readonly runId: string;
  readonly store: BenchStore;
  readonly args: BenchArguments;
}

export async function concludeBenchRun(
  { runId, store, args }: ConcludeOptions,
  bench: BundledContext,
): Promise<CommandResult> {
  const bars = readBars(args);
  const loaded = await loadReport(store, await findRunRecord(store, runId), bars);
  checkBarAgents(
    bars,
    loaded.summary.agents.map(({ agentId }) => agentId),
  );
  const report = await compareWithBaseline(loaded, store, args.baseline);
  const printed = await writeReports(report, { store, args, bench });
  const text = printed ?? terminalReport(report, screenWidth(bench.context));
  const output = args.github ? `${text.trimEnd()}\n${githubAnnotations(report)}` : text;
  const { run, summary, missed, worse, results, unconfined } = report;
  const metadata = { run: run.id, suite: run.suite, summary, missed, worse, unconfined, results };
  const failure = decideFailure(report);
  if (failure === null) return ok(output, metadata);
  // Where progress was shown, nothing else would say why the run counts as failed; below the report it is seen.
  await bench.context.write(output.endsWith("\n") ? output : `${output}\n`);
  await bench.context.write(`${failure.message}\n`, "stderr");
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
  const pairs = ids.flatMap((name) => {
    const earlier = { name: `${name} before`, results: before.get(name) ?? [] };
    return compareResults({ name, results: now.get(name) ?? [] }, earlier) ?? [];
  });
  const compared = correctForMany(pairs);
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
  readonly bench: BundledContext;
}

/** Into the files that were named; what is for the output instead is given back. */
async function writeReports(
  report: RunReport,
  { store, args, bench }: Writing,
): Promise<string | null> {
  const forms = [
    { flag: "--md", file: args.md, write: async () => markdownReport(report) },
    { flag: "--junit", file: args.junit, write: async () => junitReport(report) },
    {
      flag: "--html",
      file: args.html,
      write: async () => {
        const { htmlReport } = await import("../report/html.ts");
        return htmlReport(report, (hash) => store.getContent(hash));
      },
    },
  ];
  let printed: string | null = null;
  for (const { flag, file, write } of forms) {
    if (file === undefined) continue;
    const text = await write();
    if (file === "-") printed = text;
    else {
      const again = `adj bench report ${report.run.id.slice(0, 8)}${report.hintFlag}`;
      const hint = `nothing is lost: \`${again}\``;
      const { root } = bench.program;
      const path = resolve(bench.context.workingDirectory, file);
      await writeNamedFile(path, text, { flag, hint, root });
    }
  }
  return printed;
}

/** The bars of the command line; one that says nothing is found before anything is spent. */
export const readBars = ({ failIf }: Pick<BenchArguments, "failIf">): Bar[] =>
  failIf.map((text) => {
    const bar = parseBar(text);
    if (!("problem" in bar)) return bar;
    const [nearest] = bar.metric === null ? [] : nearestNames(bar.metric, METRIC_NAMES);
    throw fault(
      "ArgumentsInvalid",
      {
        command: "bench",
        problem: `\`--fail-if ${text}\`, column ${bar.column}: ${bar.problem}`,
      },
      { hint: nearest === undefined ? GRAMMAR : `did you mean \`${nearest}\`?` },
    );
  });

const GRAMMAR = `write \`METRIC < NUMBER\` or \`AGENT.METRIC < NUMBER\`, with one of ${METRIC_NAMES.join(", ")}`;

/** A bar for an agent that is not there would never be missed. */
export function checkBarAgents(bars: readonly Bar[], agents: readonly string[]): void {
  const unknown = bars.find(({ agentId }) => agentId !== null && !agents.includes(agentId));
  if (unknown?.agentId == null) return;
  const [nearest] = nearestNames(unknown.agentId, agents);
  throw fault(
    "ArgumentsInvalid",
    {
      command: "bench",
      problem: `\`--fail-if ${unknown.text}\` names no agent of the suite`,
    },
    {
      hint:
        nearest === undefined ? `they are ${agents.join(", ")}` : `did you mean \`${nearest}\`?`,
    },
  );
}
