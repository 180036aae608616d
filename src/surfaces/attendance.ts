export interface Attendance {
  /** Throws once the end was called for. */
  attend<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Closes after the last that is still under way; a second call waits for the same end. */
  end(close: () => void | Promise<void>): Promise<void>;
}

/** Knows what is under way, so that nothing is closed beneath it. */
export function createAttendance(): Attendance {
  const underWay = new Set<Promise<unknown>>();
  let ended: Promise<void> | null = null;
  return {
    attend: async (work) => {
      if (ended !== null) throw new Error("this Adjutant is closed");
      const promise = work();
      underWay.add(promise);
      try {
        return await promise;
      } finally {
        underWay.delete(promise);
      }
    },
    end: (close) => {
      ended ??= Promise.allSettled(underWay).then(close);
      return ended;
    },
  };
}
