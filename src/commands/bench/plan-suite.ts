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
import { createAgentFinder } from "./locate-agents.ts";
import { withStore } from "./open-store.ts";
import { planRun } from "./plan-run.ts";
import { readSuite } from "./read-suite.ts";
import { requireWord } from "./require-word.ts";

export async function planSuite(args: BenchArguments, place: BenchPlace): Promise<CommandResult> {
  const suite = readSuite(requireWord(args, "a suite"), args, place);
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
    const lines = [
      `${suite.name}: ${plans.length} trials, ${known.length} known, ${open.length} to run${staleText}`,
      cost === null
        ? "cost: not known, none of these agents has said one before"
        : `cost: ${dollars(cost.low)} to ${dollars(cost.high)} by what it was before`,
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

/** From the middle half of what each agent's trials of this suite cost. */
function expectCost(results: readonly TrialResult[], open: readonly TrialPlan[]) {
  const costs = new Map<string, number[]>();
  for (const { agentId, costUsd } of results)
    if (costUsd !== null) costs.set(agentId, [...(costs.get(agentId) ?? []), costUsd]);
  if (!open.some(({ agent }) => costs.has(agent.id))) return null;
  const sum = (fraction: number): number =>
    open.reduce(
      (total, { agent }) => total + (quantile(costs.get(agent.id) ?? [], fraction) ?? 0),
      0,
    );
  return { low: sum(0.25), high: sum(0.75) };
}
