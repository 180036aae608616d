// `adj bench SUITE`: plan, take over what is known, work through the rest, report.

import { takeKnown } from "../../bench/planning/plan-trials.ts";
import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import type { Suite } from "../../bench/suite.ts";
import type { TrialPlan } from "../../bench/trial.ts";
import { workLoop } from "../../bench/trials/work-loop.ts";
import type { CommandResult } from "../../command/result.ts";
import { newId } from "../../new-id.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { readBars } from "./check-bars.ts";
import { concludeRun } from "./conclude-run.ts";
import { createAgentFinder } from "./locate-agents.ts";
import { withStore } from "./open-store.ts";
import { planRun } from "./plan-run.ts";
import { performPostSteps } from "./post-steps.ts";
import { createProgress } from "./progress.ts";
import { readSuite } from "./read-suite.ts";
import { claimRun, findInterrupted } from "./run-ownership.ts";
import { uploadFiles } from "./travelling-files.ts";
import { makeTrialShop } from "./trial-shop.ts";

export async function runSuite(args: BenchArguments, place: BenchPlace): Promise<CommandResult> {
  const suite = readSuite(args.subject, args, place);
  readBars(args);
  return withStore(args, place, async (store) => {
    const { run, release } = await openRun({ suite, store, args }, place);
    try {
      await workThrough({ suite, store, args, run }, place);
    } finally {
      release();
    }
    context(place).signal.throwIfAborted();
    await store.finishRun(run.id, new Date().toISOString());
    await performPostSteps(suite, await store.results(run.id), place);
    return concludeRun({ runId: run.id, store, args }, place);
  });
}

const context = ({ context: own }: BenchPlace) => own;

interface Opening {
  readonly suite: Suite;
  readonly store: BenchStore;
  readonly args: BenchArguments;
}

/** The run of before where it was interrupted and is still the same; a new one otherwise. */
async function openRun({ suite, store, args }: Opening, place: BenchPlace) {
  const { stateDir } = place.program;
  const runId = newId();
  const upload = args.store === undefined ? null : uploadFiles(store, suite.folder);
  const plans = await planRun({ suite, runId, findAgent: createAgentFinder(place), upload }, place);
  const definition = JSON.stringify({
    suite,
    fingerprints: plans.map(({ fingerprint }) => fingerprint),
  });
  const before = args.fresh ? null : await findInterrupted(store, { definition, suite, stateDir });
  if (before !== null) return { run: before, release: claimRun(stateDir, before.id) };
  const run = describeRun({ suite, runId, plans, definition });
  const release = claimRun(stateDir, runId);
  const known = args.fresh
    ? []
    : await store.findKnown(plans.map(({ fingerprint }) => fingerprint));
  await store.createRun(run, plans, takeKnown(plans, known));
  return { run, release };
}

interface NewRun {
  readonly suite: Suite;
  readonly runId: string;
  readonly plans: readonly TrialPlan[];
  readonly definition: string;
}

const describeRun = ({ suite, runId, plans, definition }: NewRun): RunRecord => ({
  id: runId,
  suite: suite.name,
  suiteFile: suite.file,
  startedAt: new Date().toISOString(),
  finishedAt: null,
  state: "running",
  trials: plans.length,
  definition,
  concurrency: suite.limits.concurrency,
  usdLimit: suite.limits.usd,
});

async function workThrough(
  { suite, store, args, run }: Opening & { readonly run: RunRecord },
  place: BenchPlace,
): Promise<void> {
  const progress = createProgress(place.context, {
    agents: suite.agents.map(({ id }) => id),
    perAgent: run.trials / suite.agents.length,
    known: await store.results(run.id),
  });
  await workLoop({
    store,
    shop: makeTrialShop({ store, findAgent: createAgentFinder(place), keep: args.keep }, place),
    labels: args.labels,
    concurrency: suite.limits.concurrency,
    runId: run.id,
    infraRetries: suite.limits.infraRetries,
    signal: place.context.signal,
    onResult: progress.report,
  });
}
