// Turns that somebody inside the host waits for: told of every change, and of the end.
import type { Turn } from "../../core/store/turn-row.ts";

interface WaitingTurn {
  readonly sessionId: string;
  readonly onTurn: (turn: Turn) => void;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: unknown) => void;
}

export class WaitingTurns {
  readonly #waiting = new Map<string, WaitingTurn>();

  /** Resolves with the turn as it ended. */
  untilEnded(turn: Turn, onTurn: (turn: Turn) => void): Promise<Turn> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(turn.id, { sessionId: turn.sessionId, onTurn, resolve, reject });
      onTurn(turn);
    });
  }

  tell(turn: Turn): void {
    const waiting = this.#waiting.get(turn.id);
    if (waiting === undefined) return;
    waiting.onTurn(turn);
    if (turn.endedAt === null) return;
    this.#waiting.delete(turn.id);
    waiting.resolve(turn);
  }

  /** Its session cannot go on. */
  fail(sessionId: string, error: unknown): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId) continue;
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }
}
