/** A writing command's place among the writes of its session in this process. */
export interface WriteTurn {
  /** Until the write before this one has drawn its ticket for the lease. */
  readonly before: Promise<void>;
  /** The ticket is drawn, or will not be drawn for now (a person is being asked): the next may go on. */
  markQueued(): void;
  finish(): void;
}

export interface WriteOrder {
  enter(sessionId: string, origin: string): WriteTurn;
  /** A read waits for the writes that its own origin sent before it. */
  afterOwnWrites(sessionId: string, origin: string): Promise<void> | null;
}

/** FIFO for writes although loading and parsing take each of them a different time. */
export function createWriteOrder(): WriteOrder {
  const queued = new Map<string, Promise<void>>();
  const finished = new Map<string, Promise<void>>();
  const forget = (map: Map<string, Promise<void>>, key: string, own: Promise<void>) => {
    if (map.get(key) === own) map.delete(key);
  };

  return {
    enter: (sessionId, origin) => {
      const key = `${sessionId} ${origin}`;
      const queue = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const before = queued.get(sessionId) ?? Promise.resolve();
      queued.set(sessionId, queue.promise);
      finished.set(key, finish.promise);
      return {
        before,
        markQueued: queue.resolve,
        finish: () => {
          queue.resolve();
          finish.resolve();
          forget(queued, sessionId, queue.promise);
          forget(finished, key, finish.promise);
        },
      };
    },
    afterOwnWrites: (sessionId, origin) => finished.get(`${sessionId} ${origin}`) ?? null,
  };
}
