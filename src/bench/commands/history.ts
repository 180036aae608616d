// `adj bench history`: the runs there are.
import { resolve } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { quoteWord } from "../../core/command/words.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { formatLocalMinute, screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { describeComparison, formatPercent } from "../report/figures.ts";
import { compareResults, correctForMany } from "../report/summary.ts";
import { isInterrupted } from "../run/ownership.ts";
import type { BenchStore } from "../store/store.ts";
import type { TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { findRunRecord, loadReport, withStore } from "./context.ts";

const COLUMNS = [
  { title: "RUN" },
  { title: "STARTED" },
  { title: "SUITE", least: 10 },
  { title: "STATE" },
  { title: "DONE" },
  { title: "PASSED", least: 20 },
] as const;

/** The runs there were, of one suite or of all. */
export const showHistory = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const [word] = args.words;
    const file = resolve(bench.context.workingDirectory, word ?? "");
    const runs = (await store.listRuns(null)).filter(
      ({ suite, suiteFile }) => word === undefined || suite === word || suiteFile === file,
    );
    if (runs.length === 0) {
      const which = word === undefined ? "no runs yet" : `no run of \`${word}\` yet`;
      const make = `adj bench ${word === undefined ? "SUITE" : quoteWord(word)}${store.hintFlag}`;
      return ok(`${which}; \`${make}\` makes one`, { runs: [] });
    }
    const rows: string[][] = [];
    for (const run of runs) {
      const { summary } = await loadReport(store, run, []);
      const passed = summary.agents.map(
        ({ agentId, passRate }) => `${agentId} ${formatPercent(passRate)}`,
      );
      rows.push([
        run.id.slice(0, 8),
        formatLocalMinute(run.startedAt),
        run.suite,
        isInterrupted(bench.program.stateDir, run) ? "interrupted" : run.state,
        `${summary.trials}/${run.trials}`,
        passed.join(", "),
      ]);
    }
    const facts = runs.map(({ definition: _, ...run }) => run);
    return ok(formatTable(COLUMNS, rows, screenWidth(bench.context)).join("\n"), { runs: facts });
  });

// `adj bench compare A B`: each agent of one run against the agent of the same name in the other.

/** Each agent of one run against the agent of the same name in the other. */
export const compareRuns = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const [first, second] = args.words;
    if (first === undefined || second === undefined)
      throw fault(
        "ArgumentsInvalid",
        { command: "bench", problem: "`bench compare` needs two runs" },
        { hint: `\`adj bench history${store.hintFlag}\` lists them` },
      );
    const before = await openSide(store, first);
    const after = await openSide(store, second);
    const pairs = before.agents.flatMap((agentId) => {
      const side = ({ id, results }: RunSide) => ({
        name: `${agentId} (${id.slice(0, 8)})`,
        results: results.filter((result) => result.agentId === agentId),
      });
      return compareResults(side(before), side(after)) ?? [];
    });
    const comparisons = correctForMany(pairs);
    const lines =
      comparisons.length === 0
        ? ["no agent and case is in both runs"]
        : comparisons.map(describeComparison);
    return ok([...lines, ...alone(before, after), ...alone(after, before)].join("\n"), {
      comparisons,
    });
  });

interface RunSide {
  readonly id: string;
  readonly results: readonly TrialResult[];
  readonly agents: readonly string[];
  readonly cases: readonly string[];
}

async function openSide(store: BenchStore, beginning: string): Promise<RunSide> {
  const { id } = await findRunRecord(store, beginning);
  const results = await store.results(id);
  const agents = [...new Set(results.map(({ agentId }) => agentId))];
  return { id, results, agents, cases: [...new Set(results.map(({ caseId }) => caseId))] };
}

/** What could not be compared, because the other run does not have it. */
function alone(run: RunSide, other: RunSide): string[] {
  const only = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !others.includes(name));
  const missing = [
    { what: "agents", names: only(run.agents, other.agents) },
    { what: "cases", names: only(run.cases, other.cases) },
  ];
  return missing
    .filter(({ names }) => names.length > 0)
    .map(({ what, names }) => `only in ${run.id.slice(0, 8)}: ${what} ${names.join(", ")}`);
}
