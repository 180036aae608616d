// How much a client may have under way at once. What comes above it waits for its turn, so that a thousand calls at once are
// so many commands at once and no more, and whoever waits too long is told that nothing was begun.
import { fault } from "../../core/command/fault.ts";

const MAX_AT_ONCE = 32;
/** Clients give up at 60 s. */
const PATIENCE_MS = 45_000;

export class RequestGate {
  readonly #maxAtOnce: number;
  readonly #patienceMs: number;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor({ maxAtOnce = MAX_AT_ONCE, patienceMs = PATIENCE_MS } = {}) {
    this.#maxAtOnce = maxAtOnce;
    this.#patienceMs = patienceMs;
  }

  /** A fault where its turn did not come; the signal ends the waiting, not the work. */
  async pass<Answer>(signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> {
    if (this.#underWay < this.#maxAtOnce) this.#underWay += 1;
    else await this.#untilTurn(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Whoever leaves hands the turn on, so nobody comes in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#underWay -= 1;
    else next();
  }

  #untilTurn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = () => {
      this.#waiting.delete(enter);
      resolve();
    };
    // Whose turn has come does not give it up again.
    const giveUp = () => {
      if (!this.#waiting.delete(enter)) return;
      const problem = `${this.#maxAtOnce} requests of this client are under way; this one was not begun`;
      reject(fault("SessionBusy", { problem }, { hint: "wait for some of them, then try again" }));
    };
    this.#waiting.add(enter);
    const timer = setTimeout(giveUp, this.#patienceMs);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    });
  }
}
