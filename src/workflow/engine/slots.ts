// How many calls are under way at once: first come, first served, but a call that may not start yet holds up only those to
// the same agent.

/** Claude Code has the same for scripts of its dialect. */
export const defaultAtOnce = (cores: number): number => Math.min(16, Math.max(2, cores - 2));

export interface SlotRequest {
  /** Empty for what no agent does. */
  readonly agent: string;
  /** It was started before and goes before those that were not. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal | null;
  /** Asked when its turn has come, and true starts it; what makes it false must call `start` when it is over. */
  readonly tryStart: () => boolean;
}

interface Waiting extends SlotRequest {
  readonly turn: number;
  readonly grant: (isGranted: boolean) => void;
}

export class CallSlots {
  readonly #atOnce: number;
  readonly #queues = new Map<string, Waiting[]>();
  #running = 0;
  #turns = 0;
  #isPaused = false;
  #isClosed = false;
  #isStarting = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get running(): number {
    return this.#running;
  }

  /** Agents for which calls wait. */
  get waitingFor(): string[] {
    return [...this.#queues].filter(([, queue]) => queue.length > 0).map(([agent]) => agent);
  }

  /** False where it was called off meanwhile. Whoever is given a slot gives it back by `release`. */
  acquire(request: SlotRequest): Promise<boolean> {
    if (this.#isClosed || request.signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const turn = request.isFirst ? -1 : this.#turns++;
      const leave = () => {
        this.#take(waiting);
        resolve(false);
      };
      const waiting: Waiting = {
        ...request,
        turn,
        grant: (isGranted) => {
          request.signal?.removeEventListener("abort", leave);
          resolve(isGranted);
        },
      };
      request.signal?.addEventListener("abort", leave, { once: true });
      this.#join(waiting);
      this.start();
    });
  }

  #join(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.agent) ?? [];
    this.#queues.set(waiting.agent, queue);
    if (waiting.isFirst) queue.unshift(waiting);
    else queue.push(waiting);
  }

  #take(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.agent) ?? [];
    const at = queue.indexOf(waiting);
    if (at >= 0) queue.splice(at, 1);
  }

  release(): void {
    this.#running--;
    this.start();
  }

  /** Starts all that may start now. */
  start(): void {
    // What is asked whether it may start can end the run, and so lead here again.
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      for (let next = this.#next(); next !== null; next = this.#next()) this.#grant(next);
    } finally {
      this.#isStarting = false;
    }
  }

  #next(): Waiting | null {
    if (this.#isPaused || this.#isClosed || this.#running >= this.#atOnce) return null;
    const heads = [...this.#queues.values()].flatMap(([head]) =>
      head === undefined ? [] : [head],
    );
    return (
      heads.toSorted((one, other) => one.turn - other.turn).find((head) => head.tryStart()) ?? null
    );
  }

  #grant(waiting: Waiting): void {
    this.#take(waiting);
    this.#running++;
    waiting.grant(true);
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.start();
  }

  /** Nothing starts any more; all that wait are told. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of [...this.#queues.values()].flat()) waiting.grant(false);
    this.#queues.clear();
  }
}
