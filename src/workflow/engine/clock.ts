// The time by which a run waits: quotas, sleeps, limits. Tests have one of their own.

export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Acts at that time, or at once where it is past; gives what calls it off. */
  at(time: number, act: () => void): () => void;
}

/** A timer of Node takes no more; it ends early then, and is set again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  at(time, act) {
    let timer: NodeJS.Timeout;
    const look = () => {
      const rest = time - Date.now();
      if (rest <= 0) act();
      else timer = setTimeout(look, Math.min(rest, MAX_TIMER_MS));
    };
    timer = setTimeout(look, 0);
    return () => clearTimeout(timer);
  },
};
