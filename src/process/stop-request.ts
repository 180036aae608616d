export type StopCause = "timed_out" | "cancelled" | "output_limit" | "consumer_failed";

/** The one question of a run whether it must be ended; the first cause counts. */
export interface StopRequest {
  readonly requested: Promise<StopCause>;
  ask(cause: StopCause): void;
  /** Lets go of the clock and the caller's signal. */
  close(): void;
}

export interface StopRule {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function openStopRequest({ signal, timeoutMs = 0 }: StopRule): StopRequest {
  const { promise, resolve } = Promise.withResolvers<StopCause>();
  const cancel = () => resolve("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  // Between the caller's look at the signal and this line it may have fired.
  if (signal?.aborted) cancel();
  const timer =
    timeoutMs > 0
      ? setTimeout(() => resolve("timed_out"), Math.min(timeoutMs, LONGEST_TIMER_MS))
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
