// `adj bench plan`: what would run, what is known already, and what it may cost by what it did before.

import { findStale, takeKnown } from "../../bench/planning/plan-trials.ts";
import type { BenchStore } from "../../bench/queue.ts";
import { dollars } from "../../bench/report/figures-text.ts";
import { quantile } from "../../bench/statistics/spread.ts";
import type { Suite } from "../../bench/suite.ts";
import type { TrialPlan, TrialResult } from "../../bench/trial.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { createAgentFinder, describeMissing } from "./locate-agents.ts";
import { withStore } from "./open-store.ts";
import { planRun } from "./plan-run.ts";
import { readSuite } from "./read-suite.ts";
import { requireWord } from "./require-word.ts";

export async function planSuite(args: BenchArguments, place: BenchPlace): Promise<CommandResult> {
  const suite = await readSuite(requireWord(args, "a suite"), args, place);
  return withStore(args, place, async (store) => {
    const findAgent = createAgentFinder(place);
    const plans = await planRun({ suite, runId: "plan", findAgent, upload: null }, place);
    const known = args.fresh
      ? []
      : takeKnown(plans, await store.findKnown(plans.map(({ fingerprint }) => fingerprint)));
    const done = new Set(known.map(({ key }) => key));
    const open = plans.filter(({ key }) => !done.has(key));
    const before = await listBefore(store, suite);
    const stale = new Set(findStale(open, before));
    const cost = expectCost(before, open);
    const staleText = stale.size === 0 ? "" : ` (${stale.size} of them stale)`;
    const trials = `${plans.length} trial${plans.length === 1 ? "" : "s"}`;
    const lines = [
      `${suite.name}: ${trials}, ${known.length} known, ${open.length} to run${staleText}`,
      `cost: ${describeCost(cost)}`,
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
        known: done.has(key),
        stale: stale.has(key),
      })),
      cost,
    });
  });
}

const listBefore = async (store: BenchStore, { name }: Suite): Promise<TrialResult[]> =>
  (await Promise.all((await store.listRuns(name)).map(({ id }) => store.results(id)))).flat();

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
  const range = `${dollars(low)} to ${dollars(high)} by what it was before`;
  return unknown.length === 0 ? range : `${range}; ${silent}`;
}
