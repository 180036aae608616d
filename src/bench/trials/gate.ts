/** Lets so many through at once; the others wait in the order they came. */
export interface Gate {
  /** Answers with what makes room again, null where the signal came first. */
  enter(signal: AbortSignal): Promise<(() => void) | null>;
}

export function openGate(width: number): Gate {
  let room = width;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    room += 1;
    const [first] = waiting;
    first?.();
  };
  const pass = (): (() => void) => {
    room -= 1;
    return leave;
  };
  return {
    async enter(signal) {
      if (signal.aborted) return null;
      if (room > 0) return pass();
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
      const endWait = (): void => {
        waiting.delete(endWait);
        signal.removeEventListener("abort", endWait);
        resolve(signal.aborted ? null : pass());
      };
      waiting.add(endWait);
      signal.addEventListener("abort", endWait);
      return promise;
    },
  };
}
