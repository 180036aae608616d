export interface RunTimes {
  readonly startedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
}

/** Starts now; the answer gives the times of a run that ends when it is called. */
export function startRunClock(): () => RunTimes {
  const startedAt = Date.now();
  const start = performance.now();
  return () => {
    const durationMs = Math.round(performance.now() - start);
    // The wall clock may be set while the run lasts: only the duration decides.
    const completedAt = new Date(startedAt + durationMs).toISOString();
    return { startedAt: new Date(startedAt).toISOString(), completedAt, durationMs };
  };
}
