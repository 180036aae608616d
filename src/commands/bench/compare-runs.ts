import type { BenchStore } from "../../bench/queue.ts";
import { describeComparison } from "../../bench/report/figures-text.ts";
import { compareResults } from "../../bench/summary/compare-agents.ts";
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
    const comparisons = await compare(store, first, second);
    const lines = comparisons.map(describeComparison);
    return ok(lines.length === 0 ? "no agent and case is in both runs" : lines.join("\n"), {
      comparisons,
    });
  });

async function compare(store: BenchStore, first: string, second: string) {
  const [one, other] = [await findRunRecord(store, first), await findRunRecord(store, second)];
  const [left, right] = [await store.results(one.id), await store.results(other.id)];
  const agents = [...new Set(left.map(({ agentId }) => agentId))];
  return agents.flatMap((agentId) => {
    const side = (run: string, results: typeof left) => ({
      name: `${agentId} (${run.slice(0, 8)})`,
      results: results.filter((result) => result.agentId === agentId),
    });
    const compared = compareResults(side(one.id, left), side(other.id, right));
    return compared === null ? [] : [compared];
  });
}
