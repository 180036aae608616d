// The ends of turns as rows and events. One that cannot be written now, because the disk is full, read-only or locked, is
// kept and written as soon as it can be: a turn that has ended does not stay under way.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault } from "../../core/command/fault.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { TurnEnd, TurnStore } from "../../core/store/turns.ts";
import type { TurnPorts } from "../turns/run-turn.ts";
import type { ConcludedPrompt } from "../turns/send-prompt.ts";

/** Storage that refused is tried again so often. */
const RETRY_MS = 500;

interface UnwrittenEnd {
  readonly turn: Turn;
  readonly end: TurnEnd;
  readonly concluded: ConcludedPrompt | null;
}

export class TurnEndings {
  readonly #turns: TurnStore;
  readonly #publish: TurnPorts["publish"];
  readonly #unwritten = new Map<string, UnwrittenEnd>();

  constructor(turns: TurnStore, publish: TurnPorts["publish"]) {
    this.#turns = turns;
    this.#publish = publish;
  }

  /** Throws the storage's fault where it cannot be written now; it is written by `writeAll` then. */
  write(turn: Turn, end: TurnEnd, concluded: ConcludedPrompt | null): void {
    this.#unwritten.set(turn.id, { turn, end, concluded });
    this.writeAll();
  }

  writeAll(): void {
    for (const [id, { turn, end, concluded }] of this.#unwritten) {
      const thread = concluded?.thread ?? null;
      if (thread !== null) this.#turns.writeConversation(turn.sessionId, thread.agent, thread);
      const isNews = this.#turns.end(id, end);
      const ended = this.#turns.read(id) ?? turn;
      this.#unwritten.delete(id);
      if (isNews) this.#publish(ENDED, ended, describeEnd(ended, concluded));
    }
  }

  /** Tries until all is written. False where nothing was unwritten, or the signal fired first. */
  async untilWritten(signal: AbortSignal): Promise<boolean> {
    if (this.#unwritten.size === 0) return false;
    while (!signal.aborted) {
      if (this.#tryAll()) return true;
      await waitUnlessAborted(RETRY_MS, signal, { ref: false });
    }
    return false;
  }

  #tryAll(): boolean {
    try {
      this.writeAll();
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return false;
    }
  }
}

const ENDED: EventType = "TurnEnded";

const describeEnd = ({ status, problem }: Turn, concluded: ConcludedPrompt | null) => ({
  status,
  code: problem?.code ?? null,
  tokens: concluded?.log.usage.total_tokens ?? null,
  costUsd: concluded?.log.cost?.usd ?? null,
});

// Turns that somebody inside the host waits for: told of every change, and of the end.

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
