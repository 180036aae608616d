import { settlesWithin } from "./settle-within.ts";
import type { ChildExit } from "./start-child.ts";
import type { StopCause } from "./stop-request.ts";

/** After SIGKILL only another user's process, or one stuck in the kernel, is still there. */
const KILL_PATIENCE_MS = 400;

export interface AttendRule {
  readonly requested: Promise<StopCause>;
  readonly graceMs: number;
  readonly signalAll: (signal: NodeJS.Signals) => void;
}

export interface Attendance extends ChildExit {
  /** Null where it ended by itself. */
  readonly cause: StopCause | null;
  /** False where even SIGKILL did not end it. */
  readonly hasEnded: boolean;
  /** What is left of the grace period for the others of the tree. */
  readonly graceLeftMs: number;
}

/** Waits for the exit; when a stop is requested: SIGTERM, the grace period, SIGKILL. */
export async function attendExit(
  exit: Promise<ChildExit>,
  { requested, graceMs, signalAll }: AttendRule,
): Promise<Attendance> {
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
