// A worker: claims trials, keeps saying that it lives, brings results, gives back what could not run.
import { setTimeout as pause } from "node:timers/promises";
import { type BenchStore, type Claim, HEARTBEAT_LAPSE_MS } from "../queue.ts";
import type { TrialResult } from "../trial.ts";
import { runTrial } from "./run-trial.ts";
import type { TrialShop } from "./trial-shop.ts";

export interface WorkLoop {
  readonly store: BenchStore;
  readonly shop: TrialShop;
  readonly labels: readonly string[];
  readonly concurrency: number;
  /** Null works for any run until it is told to stop. */
  readonly runId: string | null;
  readonly infraRetries: number;
  readonly signal: AbortSignal;
  readonly onResult?: (result: TrialResult) => void;
}

/** Resolves when the run is finished, or the signal says so. */
export async function workLoop(loop: WorkLoop): Promise<void> {
  await Promise.all(Array.from({ length: loop.concurrency }, () => workAlone(loop)));
}

async function workAlone(loop: WorkLoop): Promise<void> {
  const { store, shop, labels, runId, signal } = loop;
  while (!signal.aborted) {
    const answer = await store.claim({ id: shop.worker, labels, now: new Date() }, runId);
    if (answer.kind === "finished") return;
    if (answer.kind === "claimed") await performClaim(loop, answer.claim);
    else await pause(answer.ms, undefined, { signal }).catch(() => undefined);
  }
}

/** The first waits a second, every further one twice as long. */
const backOff = (attempt: number): Date => new Date(Date.now() + 1_000 * 2 ** (attempt - 1));

async function performClaim(loop: WorkLoop, claim: Claim): Promise<void> {
  const { store, shop, signal, infraRetries } = loop;
  const lost = new AbortController();
  const beat = setInterval(() => void heartbeat(store, claim, lost), HEARTBEAT_LAPSE_MS / 16);
  try {
    const { result, isLasting } = await runTrial(
      claim,
      shop,
      AbortSignal.any([signal, lost.signal]),
    );
    // Interrupted, not cancelled: the trial stays open for whoever goes on with the run.
    if (result.ending === "cancelled" && signal.aborted) {
      await store.retry(claim, new Date());
      return;
    }
    if (result.ending === "infra" && !isLasting && claim.attempt <= infraRetries) {
      await store.retry(claim, backOff(claim.attempt));
      return;
    }
    if (await store.complete(claim, result)) loop.onResult?.(result);
  } finally {
    clearInterval(beat);
  }
}

/** A store that cannot be reached just now has not taken the trial away. */
async function heartbeat(store: BenchStore, claim: Claim, lost: AbortController): Promise<void> {
  const isHeld = await store.heartbeat(claim).catch(() => true);
  if (!isHeld) lost.abort(new Error("the trial was taken away"));
}
