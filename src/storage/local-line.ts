// Those who wait in this process for the same session stand in line among themselves, so that only
// the first of them looks into the database.

export interface Place {
  /** Done when everybody before us in this process has left. */
  readonly ready: Promise<void>;
  leave(): void;
}

export class LocalLine {
  readonly #tails = new Map<string, Promise<void>>();

  join(sessionId: string): Place {
    const ready = this.#tails.get(sessionId) ?? Promise.resolve();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const tail = ready.then(() => left);
    this.#tails.set(sessionId, tail);
    tail.then(() => {
      if (this.#tails.get(sessionId) === tail) this.#tails.delete(sessionId);
    });
    return { ready, leave };
  }
}
