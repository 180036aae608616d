import { fault } from "../command/fault.ts";
import type { Lease } from "./stores.ts";

/** A ticket whose turn has come. */
export interface HeldTurn {
  readonly ticket: number;
  end(): void;
}

type QueueUp = (signal: AbortSignal) => Promise<HeldTurn>;

export function holdLease(sessionId: string, turn: HeldTurn, queueUp: QueueUp): Lease {
  return new HeldLease(sessionId, turn, queueUp);
}

class HeldLease implements Lease {
  readonly sessionId: string;
  readonly #queueUp: QueueUp;
  #turn: HeldTurn | null;
  #generation: number;
  #isReleased = false;
  #resuming: Promise<void> | null = null;

  constructor(sessionId: string, turn: HeldTurn, queueUp: QueueUp) {
    this.sessionId = sessionId;
    this.#turn = turn;
    this.#generation = turn.ticket;
    this.#queueUp = queueUp;
  }

  get generation(): number {
    return this.#generation;
  }

  pause(): void {
    const turn = this.#turn;
    this.#turn = null;
    turn?.end();
  }

  async resume(signal: AbortSignal): Promise<void> {
    if (this.#turn !== null) return;
    this.#resuming ??= this.#takeTurn(signal).finally(() => {
      this.#resuming = null;
    });
    await this.#resuming;
  }

  release(): void {
    this.#isReleased = true;
    this.pause();
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    this.#refuseReleased();
    const turn = await this.#queueUp(signal);
    this.#turn = turn;
    this.#generation = turn.ticket;
    // Released while it waited: nobody would give this turn back.
    if (this.#isReleased) this.pause();
    this.#refuseReleased();
  }

  #refuseReleased(): void {
    if (this.#isReleased) throw fault("LeaseLost", { session: this.sessionId });
  }
}
