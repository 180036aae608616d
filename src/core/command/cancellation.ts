/** A node of the cancellation tree: cancelling it reaches its descendants and never its parent. */
export interface Scope {
  readonly signal: AbortSignal;
  cancel(reason: unknown): void;
  /** Lets go of the parent; a scope that is not closed would keep growing a long-lived parent. */
  close(): void;
}

/** The cause of a cancel that came because the terminal went away: what lives on without it is let be. */
export const HANGUP = Symbol("the terminal went away");

/** The root cause is kept: a child is cancelled with the very reason of its parent. */
export function openScope(parent?: AbortSignal): Scope {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    cancel: (reason) => controller.abort(reason),
    close: () => parent?.removeEventListener("abort", follow),
  };
}

/** Waits for `work`, but not past the signal: then it rejects with the signal's reason. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Settles as `work` does, or with `otherwise` as soon as the signal is aborted. */
export function unlessAborted<Value, Otherwise>(
  work: Promise<Value>,
  signal: AbortSignal,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  const { promise, resolve } = Promise.withResolvers<Otherwise>();
  const stop = () => resolve(otherwise);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Waits so long, or until the signal, which whoever waits then looks at. With `ref: false` the process need not stay for it. */
export function waitUnlessAborted(
  milliseconds: number,
  signal: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (!ref) timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
