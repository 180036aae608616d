// `adj bench plan`: what would run, what is known already, and what it may cost by what it did before.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { formatDollars } from "../report/figures.ts";
import { quantile } from "../statistics/estimates.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { requireWord, withStore } from "./context.ts";
import {
  createAgentFinder,
  describeKnown,
  describeMissing,
  findKnownResults,
  listBefore,
  nothingKnown,
  planRun,
} from "./plan-trials.ts";
import { readSuite } from "./read-suite.ts";

export async function planSuite(
  args: BenchArguments,
  bench: BundledContext,
): Promise<CommandResult> {
  const suite = await readSuite(requireWord(args, "a suite"), args, bench);
  return withStore(args, bench, async (store) => {
    const findAgent = createAgentFinder(bench);
    const plans = await planRun({ suite, runId: "plan", findAgent, upload: null }, bench);
    const before = await listBefore(store, suite);
    const looked = args.fresh ? nothingKnown(plans) : await findKnownResults(store, plans, before);
    const { open, stale } = looked;
    const opened = new Set(open.map(({ key }) => key));
    const cost = expectCost(before, open);
    const trials = `${plans.length} trial${plans.length === 1 ? "" : "s"}`;
    const lines = [
      `${suite.name}: ${trials}, ${describeKnown(looked)}`,
      ...(open.length === 0 ? [] : [`cost: ${describeCost(cost)}`]),
      ...(await describeMissing(suite, findAgent)).map((note) => `note: ${note}`),
      ...suite.cases
        .filter(({ unsupported }) => unsupported !== null)
        .map(({ id, unsupported }) => `left out: ${id}: ${unsupported}`),
      ...open.map(({ key }) => `  ${key}${stale.has(key) ? " (stale)" : ""}`),
    ];
    return ok(lines.join("\n"), {
      trials: plans.map(({ key, fingerprint }) => ({
        key,
        fingerprint,
        known: !opened.has(key),
        stale: stale.has(key),
      })),
      cost,
    });
  });
}

interface ExpectedCost {
  readonly low: number;
  readonly high: number;
  /** Agents that have said none before. */
  readonly unknown: readonly string[];
}

/** From the middle half of what each agent's trials of the same case cost, of any case where it had none of it. */
function expectCost(results: readonly TrialResult[], open: readonly TrialPlan[]): ExpectedCost {
  const costs = new Map<string, number[]>();
  const note = (key: string, cost: number) => costs.set(key, [...(costs.get(key) ?? []), cost]);
  for (const { agentId, caseId, costUsd, reusedFrom } of results) {
    if (costUsd === null || reusedFrom !== null) continue;
    note(agentId, costUsd);
    note(`${caseId}/${agentId}`, costUsd);
  }
  const costsOf = ({ agent, case: one }: TrialPlan): readonly number[] =>
    costs.get(`${one.id}/${agent.id}`) ?? costs.get(agent.id) ?? [];
  const sum = (fraction: number): number =>
    open.reduce((total, plan) => total + (quantile(costsOf(plan), fraction) ?? 0), 0);
  const silent = open.filter((plan) => costsOf(plan).length === 0).map(({ agent }) => agent.id);
  return { low: sum(0.25), high: sum(0.75), unknown: [...new Set(silent)] };
}

function describeCost({ low, high, unknown }: ExpectedCost): string {
  const silent = `not known for ${unknown.join(", ")}, which said none before`;
  if (high === 0 && unknown.length > 0) return silent;
  const range = `${formatDollars(low)} to ${formatDollars(high)} by what it was before`;
  return unknown.length === 0 ? range : `${range}; ${silent}`;
}
