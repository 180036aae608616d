// The calls that are being answered, whichever way they came.
import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { AnswerHook, HookCall, HookReply } from "../pipeline/hook-call.ts";
import type { WireCall } from "./wire.ts";

type TrackedCall = WireCall & Pick<HookCall, "isHttp" | "onHeld">;

export interface CallTracker {
  /** The reply; whoever gives it out calls `finish` when it is out. */
  answer(call: TrackedCall, signal: AbortSignal): Promise<HookReply>;
  /** Writes what is still to be recorded. */
  finish(reply: HookReply): void;
  /** Calls whose handlers are not all through. */
  readonly running: number;
  /** Monotonic milliseconds of the last beginning or end of a call. */
  readonly lastActiveAt: number;
  /** Resolves when nothing is running any more. */
  settled(): Promise<void>;
}

export function createCallTracker(answer: AnswerHook): CallTracker {
  let running = 0;
  let lastActiveAt = performance.now();
  let waiting: (() => void)[] = [];

  const leave = () => {
    running -= 1;
    lastActiveAt = performance.now();
    if (running > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    answer: async (call, signal) => {
      running += 1;
      lastActiveAt = performance.now();
      try {
        const reply = await answer({ ...call, cwd: realFolder(call.cwd), signal });
        reply.background.then(leave, leave);
        return reply;
      } catch (error) {
        leave();
        throw error;
      }
    },
    finish: (reply) => {
      try {
        reply.record();
      } catch {
        // A full disk must not cost an answer.
      }
    },
    get running() {
      return running;
    },
    get lastActiveAt() {
      return lastActiveAt;
    },
    settled: () =>
      running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}

/** A shell goes by the name of a link; a process that is started there sees the folder itself. */
function realFolder(cwd: string): string {
  if (!isAbsolute(cwd)) return "/";
  try {
    return realpathSync.native(cwd);
  } catch {
    // Removed or not to be entered: whoever needs it says so.
    return cwd;
  }
}
