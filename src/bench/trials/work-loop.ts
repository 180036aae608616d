// A worker: claims trials, keeps saying that it lives, brings results, gives back what could not run.
import { setTimeout as pause } from "node:timers/promises";
import { type BenchStore, type Claim, HEARTBEAT_LAPSE_MS } from "../queue.ts";
import type { TrialResult } from "../trial.ts";
import { type Gate, openGate } from "./gate.ts";
import { runTrial } from "./run-trial.ts";
import type { TrialShop } from "./trial-shop.ts";

export interface WorkLoop {
  readonly store: BenchStore;
  readonly shop: TrialShop;
  readonly labels: readonly string[];
  readonly concurrency: number;
  /** Trials taken while as many as may run do so: whoever is next begins at once. */
  readonly ahead: number;
  /** Null works for any run until it is told to stop. */
  readonly runId: string | null;
  readonly infraRetries: number;
  readonly signal: AbortSignal;
  readonly onResult?: (result: TrialResult) => void;
}

interface Floor extends WorkLoop {
  readonly gate: Gate;
  /** Rings when a trial is over: there may be something new to do. */
  readonly bell: EventTarget;
}

/** Resolves when the run is finished, or the signal says so. */
export async function workLoop(loop: WorkLoop): Promise<void> {
  const floor = { ...loop, gate: openGate(loop.concurrency), bell: new EventTarget() };
  const lanes = loop.concurrency + loop.ahead;
  await Promise.all(Array.from({ length: lanes }, () => workAlone(floor)));
}

async function workAlone(floor: Floor): Promise<void> {
  const { store, shop, labels, ahead, runId, signal, bell } = floor;
  while (!signal.aborted) {
    const facts = { id: shop.worker, labels, ahead, now: new Date() };
    const answer = await store.claim(facts, runId);
    if (answer.kind === "finished") return;
    if (answer.kind === "wait") await waitForBell(floor, answer.ms);
    else
      await performClaim(floor, answer.claim).finally(() => bell.dispatchEvent(new Event("over")));
  }
}

async function waitForBell({ bell, signal }: Floor, ms: number): Promise<void> {
  const over = new AbortController();
  const wake = (): void => over.abort();
  bell.addEventListener("over", wake, { once: true });
  await pause(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(
    () => undefined,
  );
  bell.removeEventListener("over", wake);
}

/** The first waits a second, every further one twice as long. */
const backOff = (attempt: number): Date => new Date(Date.now() + 1_000 * 2 ** (attempt - 1));

async function performClaim(floor: Floor, claim: Claim): Promise<void> {
  const { store, shop, gate, signal, infraRetries } = floor;
  const lost = new AbortController();
  const beat = setInterval(() => void heartbeat(store, claim, lost), HEARTBEAT_LAPSE_MS / 16);
  try {
    const turn = { gate, signal: AbortSignal.any([signal, lost.signal]) };
    const { result, isLasting } = await runTrial(claim, shop, turn);
    // Interrupted, not cancelled: the trial stays open for whoever goes on with the run.
    if (result.ending === "cancelled" && signal.aborted) {
      await store.giveBack(claim);
      return;
    }
    if (result.ending === "infra" && !isLasting && claim.attempt <= infraRetries) {
      await store.retry(claim, backOff(claim.attempt));
      return;
    }
    if (await store.complete(claim, result)) floor.onResult?.(result);
  } finally {
    clearInterval(beat);
  }
}

/** A store that cannot be reached just now has not taken the trial away. */
async function heartbeat(store: BenchStore, claim: Claim, lost: AbortController): Promise<void> {
  const isHeld = await store.heartbeat(claim).catch(() => true);
  if (!isHeld) lost.abort(new Error("the trial was taken away"));
}
