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
  afterOwnWrites(sessionId: string, origin: string): Promise<void>;
}

/** FIFO for writes although loading and parsing take each of them a different time. */
export function createWriteOrder(): WriteOrder {
  const queued = new Map<string, Promise<void>>();
  const finished = new Map<string, Promise<void>>();

  return {
    enter: (sessionId, origin) => {
      const key = `${sessionId} ${origin}`;
      const queue = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const before = append(queued, sessionId, queue.promise);
      append(finished, key, finish.promise);
      return {
        before,
        markQueued: queue.resolve,
        finish: () => {
          queue.resolve();
          finish.resolve();
        },
      };
    },
    afterOwnWrites: (sessionId, origin) =>
      finished.get(`${sessionId} ${origin}`) ?? Promise.resolve(),
  };
}

/** Returns what was last in line. One that ends early does not let the next pass those before it. */
function append(line: Map<string, Promise<void>>, key: string, own: Promise<void>): Promise<void> {
  const before = line.get(key) ?? Promise.resolve();
  const last = before.then(() => own);
  line.set(key, last);
  last.then(() => {
    if (line.get(key) === last) line.delete(key);
  });
  return before;
}
