import { monotonicMs } from "../monotonic-ms.ts";

const TICK_MS = 100;
const BLOCKED_MS = 1_000;

export interface LoopWatch {
  /** Begins to watch; the returned function ends it and reports a block that is still unseen. */
  enter(): () => void;
}

/** Tells when a handler kept the event loop to itself for more than a second. */
export function createLoopWatch(onBlocked: (blockedMs: number) => void): LoopWatch {
  let watching = 0;
  let lastTick = 0;
  let timer: NodeJS.Timeout | null = null;

  const look = () => {
    const late = monotonicMs() - lastTick - TICK_MS;
    lastTick = monotonicMs();
    if (late > BLOCKED_MS) onBlocked(Math.round(late));
  };
  const leave = () => {
    look();
    watching -= 1;
    if (watching > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    enter: () => {
      if (watching === 0) {
        lastTick = monotonicMs();
        timer = setInterval(look, TICK_MS);
        timer.unref();
      }
      watching += 1;
      return leave;
    },
  };
}
