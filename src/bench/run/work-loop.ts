// A worker: claims trials, keeps saying that it lives, brings results, gives back what could not run.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import { type BenchStore, HEARTBEAT_LAPSE_MS, type TrialClaim } from "../store/store.ts";
import type { TrialResult } from "../suite/trial.ts";
import type { TrialRuntime } from "./runtime.ts";
import { createSemaphore, runTrial, type Semaphore } from "./trial.ts";

export interface WorkLoopOptions {
  readonly store: BenchStore;
  readonly runtime: TrialRuntime;
  readonly labels: readonly string[];
  readonly concurrency: number;
  /** Trials taken while as many as may run do so: whoever is next begins at once. */
  readonly ahead: number;
  /** Null works for any run until it is told to stop. */
  readonly runId: string | null;
  readonly infraRetries: number;
  readonly signal: AbortSignal;
  readonly onResult?: (result: TrialResult, ending: { readonly isLasting: boolean }) => void;
}

interface WorkerContext extends WorkLoopOptions {
  readonly semaphore: Semaphore;
  /** Says `ended` when a trial is over: there may be something new to do. */
  readonly trials: EventTarget;
}

/** Resolves when the run is finished, or the signal says so. */
export async function workLoop(options: WorkLoopOptions): Promise<void> {
  const semaphore = createSemaphore(options.concurrency);
  const worker = { ...options, semaphore, trials: new EventTarget() };
  const lanes = options.concurrency + options.ahead;
  await Promise.all(Array.from({ length: lanes }, () => workAlone(worker)));
}

async function workAlone(worker: WorkerContext): Promise<void> {
  const { store, runtime, labels, ahead, runId, signal, trials } = worker;
  while (!signal.aborted) {
    const facts = { id: runtime.worker, labels, ahead, now: new Date() };
    const answer = await store.claim(facts, runId);
    if (answer.kind === "finished") return;
    if (answer.kind === "wait") await waitForEndedTrial(worker, answer.ms);
    else
      await performClaim(worker, answer.claim).finally(() =>
        trials.dispatchEvent(new Event("ended")),
      );
  }
}

async function waitForEndedTrial({ trials, signal }: WorkerContext, ms: number): Promise<void> {
  const ended = new AbortController();
  const wake = (): void => ended.abort();
  trials.addEventListener("ended", wake, { once: true });
  await waitUnlessAborted(ms, AbortSignal.any([signal, ended.signal]));
  trials.removeEventListener("ended", wake);
}

/** The first waits a second, every further one twice as long. */
const backOff = (attempt: number): Date => new Date(Date.now() + 1_000 * 2 ** (attempt - 1));

async function performClaim(worker: WorkerContext, claim: TrialClaim): Promise<void> {
  const { store, runtime, semaphore, signal, infraRetries } = worker;
  const lost = new AbortController();
  const beat = setInterval(() => void heartbeat(store, claim, lost), HEARTBEAT_LAPSE_MS / 16);
  try {
    const options = { semaphore, signal: AbortSignal.any([signal, lost.signal]) };
    const { result, isLasting } = await runTrial(claim, runtime, options);
    // Interrupted, not cancelled: the trial stays open for whoever goes on with the run.
    if (result.ending === "cancelled" && signal.aborted) {
      await store.giveBack(claim);
      return;
    }
    if (result.ending === "infra" && !isLasting && claim.attempt <= infraRetries) {
      await store.retry(claim, backOff(claim.attempt));
      return;
    }
    if (await store.complete(claim, result)) worker.onResult?.(result, { isLasting });
  } finally {
    clearInterval(beat);
  }
}

/** A store that cannot be reached just now has not taken the trial away. */
async function heartbeat(
  store: BenchStore,
  claim: TrialClaim,
  lost: AbortController,
): Promise<void> {
  const isHeld = await store.heartbeat(claim).catch(() => true);
  if (!isHeld) lost.abort(new Error("the trial was taken away"));
}
