// `adj bench SUITE`: plan, take over what is known, work through the rest, report.

import { newId } from "../../core/command/new-id.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { driveRun, takeOverRun } from "../run/ownership.ts";
import { uploadFiles } from "../run/plan-files.ts";
import { performPostSteps } from "../run/post-steps.ts";
import { workLoop } from "../run/work-loop.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { Suite } from "../suite/suite.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { findRunRecord, withStore } from "./context.ts";
import {
  createAgentFinder,
  describeKnown,
  type FindAgent,
  findKnownResults,
  listBefore,
  nothingKnown,
  planRun,
} from "./plan-trials.ts";
import { createProgress, followStore } from "./progress.ts";
import { readSuite } from "./read-suite.ts";
import { checkBarAgents, concludeBenchRun, readBars } from "./report.ts";
import { keptFolder, openTrialRuntime } from "./trial-runtime.ts";

export async function runSuite(
  args: BenchArguments,
  bench: BundledContext,
): Promise<CommandResult> {
  const suite = await readSuite(args.subject, args, bench);
  checkBarAgents(
    readBars(args),
    suite.agents.map(({ id }) => id),
  );
  return withStore(args, bench, async (store) => {
    // Found out before anything is spent.
    if (args.baseline !== undefined) await findRunRecord(store, args.baseline);
    const opening = { suite, store, args, findAgent: createAgentFinder(bench) };
    const { run, release, isResumed } = await openRun(opening, bench);
    try {
      const stopped = await workThrough({ ...opening, run, isResumed }, bench);
      if (bench.context.signal.aborted) await tellResume({ store, run }, bench);
      bench.context.signal.throwIfAborted();
      await store.finishRun(run.id, new Date().toISOString());
      if (stopped !== null) await bench.context.write(`${stopped}\n`, "stderr");
    } finally {
      release();
    }
    await performPostSteps(suite, await store.results(run.id), bench);
    return concludeBenchRun({ runId: run.id, store, args }, bench);
  });
}

async function tellResume(
  { store, run }: { readonly store: BenchStore; readonly run: SuiteRunRecord },
  { context }: BundledContext,
): Promise<void> {
  const done = (await store.results(run.id)).length;
  const far = `${done} of ${run.trials} trials done`;
  await context.write(`stopped with ${far}; the same line goes on from there\n`, "stderr");
}

interface Opening {
  readonly suite: Suite;
  readonly store: BenchStore;
  readonly args: BenchArguments;
  readonly findAgent: FindAgent;
}

interface OpenRun {
  readonly run: SuiteRunRecord;
  readonly release: () => void;
  readonly isResumed: boolean;
}

/** The run of before where it was interrupted and is still the same; a new one otherwise. */
async function openRun(opening: Opening, bench: BundledContext): Promise<OpenRun> {
  const { suite, store, args, findAgent } = opening;
  const { stateDir } = bench.program;
  const runId = newId();
  const upload = args.store === undefined ? null : uploadFiles(store, suite.folder);
  const plans = await planRun({ suite, runId, findAgent, upload }, bench);
  const definition = JSON.stringify({
    suite,
    fingerprints: plans.map(({ fingerprint }) => fingerprint),
  });
  const same = { suite: suite.name, definition, stateDir };
  const before = args.fresh ? null : await takeOverRun(store, same);
  if (before !== null) {
    if (args.store === undefined) await store.releaseClaims?.(before.run.id);
    return { ...before, isResumed: true };
  }
  const release = driveRun(stateDir, runId) ?? (() => undefined);
  const looked = args.fresh
    ? nothingKnown(plans)
    : await findKnownResults(store, plans, await listBefore(store, suite));
  if (looked.known.length + looked.stale.size > 0)
    await bench.context.write(`${describeKnown(looked)}\n`, "stderr");
  const run = describeRun({ suite, runId, plans, definition });
  await store.createRun(run, plans, looked.known);
  return { run, release, isResumed: false };
}

interface NewRun {
  readonly suite: Suite;
  readonly runId: string;
  readonly plans: readonly TrialPlan[];
  readonly definition: string;
}

const describeRun = ({ suite, runId, plans, definition }: NewRun): SuiteRunRecord => ({
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
  { suite, store, args, run, isResumed, findAgent }: Opening & Omit<OpenRun, "release">,
  bench: BundledContext,
): Promise<string | null> {
  const { context, program } = bench;
  const known = await store.results(run.id);
  if (isResumed) {
    const far = `${known.length} of ${run.trials} done`;
    await context.write(`resuming run ${run.id.slice(0, 8)}, ${far}\n`, "stderr");
  }
  // Where others work for the same run, they may have what is missing here.
  const start = watchStart(suite, { isAlone: args.store === undefined && known.length === 0 });
  const progress = createProgress(context, {
    agents: suite.agents.map(({ id }) => id),
    perAgent: run.trials / suite.agents.length,
    known,
  });
  const runtime = await openTrialRuntime(
    { store, findAgent, keep: args.keep, raw: args.raw, guardFlags: args },
    bench,
  );
  const unfollow =
    args.store === undefined ? null : followStore(() => store.results(run.id), progress.update);
  try {
    await workLoop({
      store,
      runtime,
      labels: args.labels,
      concurrency: suite.limits.concurrency,
      // Whether the budget is spent is known when the trials before have ended; a server counts for all.
      ahead: args.store === undefined && suite.limits.usd === null ? 1 : 0,
      runId: run.id,
      infraRetries: suite.limits.infraRetries,
      signal: AbortSignal.any([context.signal, start.signal]),
      onResult: (result, { isLasting }) => {
        progress.report(result);
        start.note(result, isLasting);
      },
    });
  } finally {
    await unfollow?.();
    await runtime.close();
  }
  if (args.keep !== "never")
    await context.write(`workspaces are kept in ${keptFolder(program.stateDir)}\n`, "stderr");
  return start.problem(run.trials);
}

/** So many trials of every agent, and none that began: the next would not begin either. */
const ENOUGH_FAILED_STARTS = 2;

/** Stops a run of which no trial can start: no program, no key, settings that are refused. */
function watchStart({ agents, cases, repeat }: Suite, { isAlone }: { readonly isAlone: boolean }) {
  const stop = new AbortController();
  const enough = Math.min(ENOUGH_FAILED_STARTS, cases.length * repeat);
  const failed = new Map(agents.map(({ id }) => [id, 0]));
  let isOpen = isAlone;
  let done = 0;
  let reason: string | null = null;
  return {
    signal: stop.signal,
    note: (result: TrialResult, isLasting: boolean): void => {
      done += 1;
      // What was graded has run, whatever could be told of it.
      isOpen &&= result.ending === "infra" && isLasting && result.evaluations.length === 0;
      reason ??= result.reason;
      failed.set(result.agentId, (failed.get(result.agentId) ?? 0) + 1);
      if (isOpen && [...failed.values()].every((count) => count >= enough)) stop.abort();
    },
    /** Null where the run was not stopped, or nothing of it was left. */
    problem: (trials: number): string | null =>
      stop.signal.aborted && done < trials
        ? `stopped after ${done} of ${trials} trials, since none can start: ${reason ?? "not known why"}`
        : null,
  };
}
