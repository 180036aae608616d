// Those of one process that wait for the same thing stand in line among themselves: for a lease, and to be written in order.

export interface QueuePosition {
  /** Done when everybody before us in this process has left. */
  readonly ready: Promise<void>;
  leave(): void;
}

/** One line for each key. Whoever leaves early does not let the next pass those before it. */
export class LocalQueue {
  readonly #tails = new Map<string, Promise<void>>();

  join(key: string): QueuePosition {
    const ready = this.whenLeft(key);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const tail = ready.then(() => left);
    this.#tails.set(key, tail);
    tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return { ready, leave };
  }

  /** Done when everybody who stands in line now has left. */
  whenLeft(key: string): Promise<void> {
    return this.#tails.get(key) ?? Promise.resolve();
  }
}

/** A writing command's turn among the writes of its session in this process. */
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

/** First in, first out for writes, although loading and parsing take each of them a different time. */
export function createWriteOrder(): WriteOrder {
  const queued = new LocalQueue();
  const finished = new LocalQueue();
  return {
    enter: (sessionId, origin) => {
      const inQueue = queued.join(sessionId);
      const inWork = finished.join(`${sessionId} ${origin}`);
      return {
        before: inQueue.ready,
        markQueued: inQueue.leave,
        finish: () => {
          inQueue.leave();
          inWork.leave();
        },
      };
    },
    afterOwnWrites: (sessionId, origin) => finished.whenLeft(`${sessionId} ${origin}`),
  };
}
