// `adj bench SUITE`: plan, take over what is known, work through the rest, report.

import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import type { Suite } from "../../bench/suite.ts";
import type { TrialPlan } from "../../bench/trial.ts";
import { workLoop } from "../../bench/trials/work-loop.ts";
import type { CommandResult } from "../../command/result.ts";
import { newId } from "../../new-id.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { checkBarAgents, readBars } from "./check-bars.ts";
import { concludeRun } from "./conclude-run.ts";
import { describeKnown, listBefore, lookUpKnown, nothingKnown } from "./known-trials.ts";
import { findRunRecord } from "./load-report.ts";
import { createAgentFinder, type FindAgent } from "./locate-agents.ts";
import { withStore } from "./open-store.ts";
import { planRun } from "./plan-run.ts";
import { performPostSteps } from "./post-steps.ts";
import { createProgress } from "./progress.ts";
import { readSuite } from "./read-suite.ts";
import { driveRun, takeOverRun } from "./run-ownership.ts";
import { uploadFiles } from "./travelling-files.ts";
import { keptFolder, makeTrialShop } from "./trial-shop.ts";
import { openWorkPlace } from "./work-place.ts";

export async function runSuite(args: BenchArguments, place: BenchPlace): Promise<CommandResult> {
  const suite = await readSuite(args.subject, args, place);
  checkBarAgents(
    readBars(args),
    suite.agents.map(({ id }) => id),
  );
  return withStore(args, place, async (store) => {
    // Found out before anything is spent.
    if (args.baseline !== undefined) await findRunRecord(store, args.baseline);
    const opening = { suite, store, args, findAgent: createAgentFinder(place) };
    const { run, release } = await openRun(opening, place);
    try {
      await workThrough({ ...opening, run }, place);
      place.context.signal.throwIfAborted();
      await store.finishRun(run.id, new Date().toISOString());
    } finally {
      release();
    }
    await performPostSteps(suite, await store.results(run.id), place);
    return concludeRun({ runId: run.id, store, args }, place);
  });
}

interface Opening {
  readonly suite: Suite;
  readonly store: BenchStore;
  readonly args: BenchArguments;
  readonly findAgent: FindAgent;
}

interface OpenRun {
  readonly run: RunRecord;
  readonly release: () => void;
}

/** The run of before where it was interrupted and is still the same; a new one otherwise. */
async function openRun(opening: Opening, place: BenchPlace): Promise<OpenRun> {
  const { suite, store, args, findAgent } = opening;
  const { stateDir } = place.program;
  const runId = newId();
  const upload = args.store === undefined ? null : uploadFiles(store, suite.folder);
  const plans = await planRun({ suite, runId, findAgent, upload }, place);
  const definition = JSON.stringify({
    suite,
    fingerprints: plans.map(({ fingerprint }) => fingerprint),
  });
  const same = { suite: suite.name, definition, stateDir };
  const before = args.fresh ? null : await takeOverRun(store, same);
  if (before !== null) {
    if (args.store === undefined) await store.releaseClaims?.(before.run.id);
    return before;
  }
  const release = driveRun(stateDir, runId) ?? (() => undefined);
  const looked = args.fresh
    ? nothingKnown(plans)
    : await lookUpKnown(store, plans, await listBefore(store, suite));
  if (looked.known.length + looked.stale.size > 0)
    await place.context.write(`${describeKnown(looked)}\n`, "stderr");
  const run = describeRun({ suite, runId, plans, definition });
  await store.createRun(run, plans, looked.known);
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
  { suite, store, args, run, findAgent }: Opening & { readonly run: RunRecord },
  place: BenchPlace,
): Promise<void> {
  const { context, program } = place;
  const progress = createProgress(context, {
    agents: suite.agents.map(({ id }) => id),
    perAgent: run.trials / suite.agents.length,
    known: await store.results(run.id),
  });
  const work = await openWorkPlace(place);
  try {
    await workLoop({
      store,
      shop: makeTrialShop({ store, findAgent, keep: args.keep, work }, place),
      labels: args.labels,
      concurrency: suite.limits.concurrency,
      // Whether the budget is spent is known when the trials before have ended; a server counts for all.
      ahead: args.store === undefined && suite.limits.usd === null ? 1 : 0,
      runId: run.id,
      infraRetries: suite.limits.infraRetries,
      signal: context.signal,
      onResult: progress.report,
    });
  } finally {
    await work.close();
  }
  if (args.keep !== "never")
    await context.write(`workspaces are kept in ${keptFolder(program.stateDir)}\n`, "stderr");
}
