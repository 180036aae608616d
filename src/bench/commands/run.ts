// `adj bench SUITE`: plan, take over what is known, work through the rest, report.

import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { padEnd, plainLine } from "../../core/terminal/text-columns.ts";
import { formatDollars, formatPercent } from "../report/figures.ts";
import { isCounted } from "../report/summary.ts";
import { driveRun, takeOverRun } from "../run/ownership.ts";
import { uploadFiles } from "../run/plan-files.ts";
import { performPostSteps } from "../run/post-steps.ts";
import { workLoop } from "../run/work-loop.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { Suite } from "../suite/suite.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { type BenchContext, findRunRecord, withStore } from "./context.ts";
import {
  createAgentFinder,
  describeKnown,
  type FindAgent,
  listBefore,
  lookUpKnown,
  nothingKnown,
  planRun,
} from "./plan-trials.ts";
import { readSuite } from "./read-suite.ts";
import { checkBarAgents, concludeBenchRun, readBars } from "./report.ts";
import { keptFolder, openTrialRuntime } from "./trial-runtime.ts";

export async function runSuite(args: BenchArguments, bench: BenchContext): Promise<CommandResult> {
  const suite = await readSuite(args.subject, args, bench);
  checkBarAgents(
    readBars(args),
    suite.agents.map(({ id }) => id),
  );
  return withStore(args, bench, async (store) => {
    // Found out before anything is spent.
    if (args.baseline !== undefined) await findRunRecord(store, args.baseline);
    const opening = { suite, store, args, findAgent: createAgentFinder(bench) };
    const { run, release } = await openRun(opening, bench);
    try {
      await workThrough({ ...opening, run }, bench);
      bench.context.signal.throwIfAborted();
      await store.finishRun(run.id, new Date().toISOString());
    } finally {
      release();
    }
    await performPostSteps(suite, await store.results(run.id), bench);
    return concludeBenchRun({ runId: run.id, store, args }, bench);
  });
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
}

/** The run of before where it was interrupted and is still the same; a new one otherwise. */
async function openRun(opening: Opening, bench: BenchContext): Promise<OpenRun> {
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
    return before;
  }
  const release = driveRun(stateDir, runId) ?? (() => undefined);
  const looked = args.fresh
    ? nothingKnown(plans)
    : await lookUpKnown(store, plans, await listBefore(store, suite));
  if (looked.known.length + looked.stale.size > 0)
    await bench.context.write(`${describeKnown(looked)}\n`, "stderr");
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
  { suite, store, args, run, findAgent }: Opening & { readonly run: SuiteRunRecord },
  bench: BenchContext,
): Promise<void> {
  const { context, program } = bench;
  const progress = createProgress(context, {
    agents: suite.agents.map(({ id }) => id),
    perAgent: run.trials / suite.agents.length,
    known: await store.results(run.id),
  });
  const runtime = await openTrialRuntime(
    { store, findAgent, keep: args.keep, raw: args.raw, told: args },
    bench,
  );
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
      signal: context.signal,
      onResult: progress.report,
    });
  } finally {
    await runtime.close();
  }
  if (args.keep !== "never")
    await context.write(`workspaces are kept in ${keptFolder(program.stateDir)}\n`, "stderr");
}

// How far a run is: lines that change where a person watches, a plain line per result elsewhere.

export interface ProgressPlan {
  readonly agents: readonly string[];
  readonly perAgent: number;
  /** Results that are there already. */
  readonly known: readonly TrialResult[];
}

export interface Progress {
  report(result: TrialResult): void;
}

export function createProgress(
  context: Pick<CommandContext, "isInteractive" | "progress" | "write">,
  { agents, perAgent, known }: ProgressPlan,
): Progress {
  const standing: Standing = {
    byAgent: new Map(agents.map((id) => [id, NOTHING_DONE])),
    perAgent,
    before: known.length,
    done: 0,
    startedAt: Date.now(),
  };
  for (const result of known) addResult(standing, result);
  const show = () => context.progress(describeStanding(standing, Date.now()));
  if (context.isInteractive) show();
  return {
    report: (result) => {
      standing.done += 1;
      addResult(standing, result);
      if (context.isInteractive) show();
      else void context.write(`${describeResult(result, standing)}\n`, "stderr");
    },
  };
}

interface AgentStanding {
  readonly done: number;
  readonly counted: number;
  readonly passed: number;
  readonly usd: number | null;
}

const NOTHING_DONE: AgentStanding = { done: 0, counted: 0, passed: 0, usd: null };

interface Standing {
  readonly byAgent: Map<string, AgentStanding>;
  readonly perAgent: number;
  readonly before: number;
  readonly startedAt: number;
  /** Since then. */
  done: number;
}

function addResult({ byAgent }: Standing, result: TrialResult): void {
  const { done, counted, passed, usd } = byAgent.get(result.agentId) ?? NOTHING_DONE;
  byAgent.set(result.agentId, {
    done: done + 1,
    counted: counted + (isCounted(result) ? 1 : 0),
    passed: passed + (result.ending === "passed" ? 1 : 0),
    usd: result.costUsd === null ? usd : (usd ?? 0) + result.costUsd,
  });
}

/** A line for each agent, and one for what is left. */
function describeStanding(standing: Standing, now: number): string {
  const { byAgent, perAgent } = standing;
  const widest = Math.max(...[...byAgent.keys()].map(({ length }) => length));
  const lines = [...byAgent].map(([id, { done, ...figures }]) => {
    const count = `${done}/${perAgent}`.padStart(2 * String(perAgent).length + 1);
    return [padEnd(plainLine(id), widest), count, ...describeFigures(figures)].join("  ");
  });
  return [...lines, describeLeft(standing, now)].join("\n");
}

function describeFigures({ counted, passed, usd }: Omit<AgentStanding, "done">): string[] {
  const rate = counted === 0 ? [] : [formatPercent(passed / counted).padStart(5)];
  return usd === null ? rate : [...rate, formatDollars(usd)];
}

function describeLeft({ byAgent, perAgent, before, done, startedAt }: Standing, now: number) {
  const missing = byAgent.size * perAgent - before - done;
  if (missing <= 0) return "all done";
  const togo = `${missing} ${missing === 1 ? "trial" : "trials"} to go`;
  if (done === 0) return togo;
  const seconds = Math.round((((now - startedAt) / done) * missing) / 1_000);
  const time = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${togo}, about ${time}`;
}

function describeResult(result: TrialResult, standing: Standing): string {
  const { key, ending, reason, durationMs, agentId } = result;
  const { byAgent, perAgent, before, done } = standing;
  const why = reason === null ? "" : `: ${reason}`;
  const figures = describeFigures(byAgent.get(agentId) ?? NOTHING_DONE).map((text) => text.trim());
  const facts = [...figures, describeLeft(standing, Date.now())].join(", ");
  const count = `${before + done}/${byAgent.size * perAgent}`;
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  return plainLine(`${count} ${key} ${ending} in ${took} (${agentId} ${facts})${why}`);
}
