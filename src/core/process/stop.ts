// When a run has to end before its time, and how its end is waited for.
import type { ChildExit } from "./spawn.ts";

export type StopCause = "timed_out" | "cancelled" | "output_limit" | "consumer_failed";

/** The one question of a run whether it must be ended; the first cause counts. */
interface StopRequest {
  readonly requested: Promise<StopCause>;
  ask(cause: StopCause): void;
  /** Lets go of the clock and the caller's signal. */
  close(): void;
}

interface StopConditions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function openStopRequest({ signal, timeoutMs = 0 }: StopConditions): StopRequest {
  const { promise, resolve } = Promise.withResolvers<StopCause>();
  const cancel = () => resolve("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  // Between the caller's look at the signal and this line it may have fired.
  if (signal?.aborted) cancel();
  const timer =
    timeoutMs > 0
      ? setTimeout(() => resolve("timed_out"), Math.min(timeoutMs, MAX_TIMER_MS))
      : null;
  return {
    requested: promise,
    ask: resolve,
    close() {
      signal?.removeEventListener("abort", cancel);
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** After SIGKILL only another user's process, or one stuck in the kernel, is still there. */
const KILL_PATIENCE_MS = 400;

interface ExitOptions {
  readonly requested: Promise<StopCause>;
  readonly graceMs: number;
  readonly signalAll: (signal: NodeJS.Signals) => void;
}

export interface ObservedExit extends ChildExit {
  /** Null where the child ended by itself. */
  readonly cause: StopCause | null;
  /** False where even SIGKILL did not end it. */
  readonly hasEnded: boolean;
  /** What is left of the grace period for the others of the tree. */
  readonly graceLeftMs: number;
}

/** Waits for the exit; when a stop is requested: SIGTERM, the grace period, SIGKILL. */
export async function waitForExit(
  exit: Promise<ChildExit>,
  { requested, graceMs, signalAll }: ExitOptions,
): Promise<ObservedExit> {
  const first = await Promise.race([exit, requested]);
  if (typeof first !== "string") return { ...first, cause: null, hasEnded: true, graceLeftMs: 0 };
  const killAt = performance.now() + graceMs;
  signalAll("SIGTERM");
  let hasEnded = await settlesWithin(exit, graceMs);
  if (!hasEnded) {
    signalAll("SIGKILL");
    hasEnded = await settlesWithin(exit, KILL_PATIENCE_MS);
  }
  const last = hasEnded ? await exit : { exitCode: null, signal: null };
  return { ...last, cause: first, hasEnded, graceLeftMs: Math.max(0, killAt - performance.now()) };
}

/** Whether the promise settles within this time; it goes on either way, and a rejection counts. */
export function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
