// One try of one trial: workspace, setup, agent, snapshot, evaluators, teardown. Every ending is a result.

import { uptime } from "node:os";
import { messageOf } from "../../core/command/fault.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { killProcessesUsing } from "../../core/process/kill-users.ts";
import type { TrialClaim } from "../store/store.ts";
import type { TrialResult } from "../suite/trial.ts";
import {
  type AttemptResult,
  composeResult,
  EMPTY_ATTEMPT,
  endingOfGrades,
  endingOfRun,
} from "./endings.ts";
import { hasDone, judgeWork, keepBase, keepUngraded } from "./grading.ts";
import type { AttemptContext, TrialRuntime } from "./runtime.ts";
import { makeWorkspace, runSetupStep } from "./workspace.ts";

export interface TrialOutcome {
  readonly result: TrialResult;
  /** Another try would end the same way. */
  readonly isLasting: boolean;
}

export interface TrialOptions {
  readonly signal: AbortSignal;
  /** While it is held an agent runs and its work is graded; what is left to tidy up keeps nobody waiting. */
  readonly semaphore: Semaphore;
}

export async function runTrial(
  claim: TrialClaim,
  runtime: TrialRuntime,
  { signal, semaphore }: TrialOptions,
): Promise<TrialOutcome> {
  const release = await semaphore.acquire(signal);
  const startedAt = new Date().toISOString();
  const began = monotonicMs();
  const tried =
    release === null ? NEVER_ATTEMPTED : await tryOnce(claim, runtime, signal).finally(release);
  const durationMs = Math.round(monotonicMs() - began);
  const ended = await disposeAttempt(tried, claim, runtime);
  const result = composeResult(claim, ended, { startedAt, durationMs, worker: runtime.worker });
  return { result, isLasting: ended.isLasting === true };
}

interface Attempt {
  readonly result: AttemptResult;
  /** Null where no workspace was made. */
  readonly context: AttemptContext | null;
}

const NEVER_ATTEMPTED: Attempt = {
  result: { ...EMPTY_ATTEMPT, ending: "cancelled" },
  context: null,
};

async function tryOnce(
  claim: TrialClaim,
  runtime: TrialRuntime,
  signal: AbortSignal,
): Promise<Attempt> {
  if (claim.isOverBudget)
    return {
      result: { ...EMPTY_ATTEMPT, ending: "limit", reason: "the budget of the run is spent" },
      context: null,
    };
  let context: AttemptContext | null = null;
  try {
    context = await openAttempt(claim, runtime, signal);
    const result = await runInside(context);
    return { result: await tearDown(context, result), context };
  } catch (error) {
    // What a trial trips over harms no other: it is that trial's ending.
    const result: AttemptResult = signal.aborted
      ? { ...EMPTY_ATTEMPT, ending: "cancelled" }
      : { ...EMPTY_ATTEMPT, reason: messageOf(error) };
    return { result: context === null ? result : await tearDown(context, result), context };
  }
}

async function openAttempt(
  claim: TrialClaim,
  runtime: TrialRuntime,
  signal: AbortSignal,
): Promise<AttemptContext> {
  const since = uptime();
  const plan = await runtime.receive(claim.plan);
  const env = runtime.environment(plan.case.env);
  const { workDir } = runtime;
  const workspace = await makeWorkspace({ source: plan.case.workspace, workDir, env, signal });
  return { ...workspace, plan, runtime, env, signal, since };
}

async function runInside(context: AttemptContext): Promise<AttemptResult> {
  const { plan, runtime, folder, signal } = context;
  for (const step of plan.case.setup) await runSetupStep(step, context);
  const isGraded = plan.case.evaluators.length > 0;
  // Of an empty workspace it is known without a copy what was there before.
  const isEmpty = plan.case.workspace.kind === "empty" && plan.case.setup.length === 0;
  const base = isGraded || !isEmpty ? await keepBase(context) : null;
  const distrust = await runtime.inheritTrust(folder, plan);
  const outcome = await runtime
    .runTask({ plan, folder, logDir: context.root, signal })
    .finally(distrust);
  const { log } = outcome;
  const artifacts = { "log.json": await runtime.store(Buffer.from(JSON.stringify(log))) };
  signal.throwIfAborted();
  const ended = endingOfRun(log, plan.usdLimit ?? null);
  if (ended === null && isGraded && base !== null)
    return judgeWork(context, { outcome, base, artifacts });
  const decided = ended ?? endingOfGrades({ evaluations: [], didAnything: hasDone(log) });
  const changes = await keepUngraded(context, base);
  return { ...EMPTY_ATTEMPT, ...decided, log, artifacts: { ...artifacts, ...changes } };
}

/** Its own steps, and whoever the agent left. */
async function tearDown(context: AttemptContext, result: AttemptResult): Promise<AttemptResult> {
  const { plan } = context;
  const signal = new AbortController().signal;
  const isBare = plan.case.workspace.kind === "empty" && plan.case.evaluators.length === 0;
  // Before it was graded everybody was ended; where there is nothing to work on, nobody is looked for.
  const isClear = isBare || result.evaluations.length > 0;
  const runProgram = context.runtime.graderRunner(plan);
  const steps = { ...context, signal, runProgram };
  const work = plan.case.teardown.map((step) => () => runSetupStep(step, steps));
  const look = () => killProcessesUsing({ folder: context.root, since: context.since });
  return afterwards(result, isClear ? work : [...work, look]);
}

function disposeAttempt(
  { result, context }: Attempt,
  { attempt }: TrialClaim,
  runtime: TrialRuntime,
): Promise<AttemptResult> {
  if (context === null) return Promise.resolve(result);
  const ended = { plan: context.plan, attempt, isPassed: result.ending === "passed" };
  return afterwards(result, [() => runtime.dispose(context.root, ended)]);
}

/** What is known of the agent stays known; that something went wrong after it is said. */
async function afterwards(
  result: AttemptResult,
  work: readonly (() => Promise<unknown>)[],
): Promise<AttemptResult> {
  let { reason } = result;
  for (const step of work)
    await step().catch((error: unknown) => {
      reason ??= `afterwards: ${messageOf(error)}`;
    });
  return { ...result, reason };
}

/** Lets so many through at once; the others wait in the order they came. */
export interface Semaphore {
  /** Answers with what makes room again, null where the signal came first. */
  acquire(signal: AbortSignal): Promise<(() => void) | null>;
}

export function createSemaphore(permits: number): Semaphore {
  let room = permits;
  const waiting = new Set<() => void>();
  const release = (): void => {
    room += 1;
    const [first] = waiting;
    first?.();
  };
  const take = (): (() => void) => {
    room -= 1;
    return release;
  };
  return {
    async acquire(signal) {
      if (signal.aborted) return null;
      if (room > 0) return take();
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
      const endWait = (): void => {
        waiting.delete(endWait);
        signal.removeEventListener("abort", endWait);
        resolve(signal.aborted ? null : take());
      };
      waiting.add(endWait);
      signal.addEventListener("abort", endWait);
      return promise;
    },
  };
}
