// Whose turn it is: the lowest ticket whose owner still lives. Pure.

/** A ticket as this process sees it now. */
export interface SeenTicket {
  readonly ticket: number;
  readonly alive: boolean | "unseen";
  /** When its owner was last heard of, in milliseconds. */
  readonly heartbeatAt: number;
}

type Turn =
  | { readonly kind: "ours" }
  | { readonly kind: "wait" }
  /** Tickets ahead whose owners are gone stand in the way. */
  | { readonly kind: "clear"; readonly gone: readonly SeenTicket[] }
  /** Our ticket is no more: somebody took us for gone. */
  | { readonly kind: "requeue" };

/** An owner that cannot be seen from here counts as gone after so much silence. */
export const SILENCE_MS = 10_000;

export function decideTurn(queue: readonly SeenTicket[], mine: number, now: number): Turn {
  if (!queue.some(({ ticket }) => ticket === mine)) return { kind: "requeue" };
  const ahead = queue.filter(({ ticket }) => ticket < mine);
  if (ahead.length === 0) return { kind: "ours" };
  const gone = ahead.filter((seen) => isGone(seen, now));
  return gone.length === 0 ? { kind: "wait" } : { kind: "clear", gone };
}

/** A heartbeat from far in the future is one from before the clock was set back. */
export function isGone({ alive, heartbeatAt }: SeenTicket, now: number): boolean {
  return alive === "unseen" ? Math.abs(now - heartbeatAt) > SILENCE_MS : !alive;
}

const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 25;

/** The next in line looks every millisecond; those far back, or behind a long command, have time. */
export function decidePollPause(ahead: number, waitedMs: number): number {
  const pause = Math.max(SHORTEST_PAUSE_MS, ahead / 2, waitedMs / 10);
  return Math.min(LONGEST_PAUSE_MS, pause);
}
