import type { BenchStore } from "../../bench/queue.ts";
import { describeComparison } from "../../bench/report/figures-text.ts";
import { compareResults } from "../../bench/summary/compare-agents.ts";
import type { TrialResult } from "../../bench/trial.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { findRunRecord } from "./load-report.ts";
import { withStore } from "./open-store.ts";

/** Each agent of one run against the agent of the same name in the other. */
export const compareRuns = (args: BenchArguments, place: BenchPlace): Promise<CommandResult> =>
  withStore(args, place, async (store) => {
    const [first, second] = args.words;
    if (first === undefined || second === undefined)
      throw fault(
        "ArgumentsInvalid",
        { command: "bench", problem: "`bench compare` needs two runs" },
        { hint: "`adj bench history` lists them" },
      );
    const before = await openSide(store, first);
    const after = await openSide(store, second);
    const comparisons = before.agents.flatMap((agentId) => {
      const side = ({ id, results }: RunSide) => ({
        name: `${agentId} (${id.slice(0, 8)})`,
        results: results.filter((result) => result.agentId === agentId),
      });
      return compareResults(side(before), side(after)) ?? [];
    });
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
