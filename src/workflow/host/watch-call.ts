// What the run is told of a call while its turn goes on: its run, its conversation, whom it waits for; and its time limit,
// which does not count while a person is waited for.
import type { QuestionStore } from "../../core/store/questions.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { AgentCall } from "../engine/effect.ts";

type WatchedCall = Pick<AgentCall, "effect" | "signal" | "onConversation" | "onRun" | "onWaiting">;

export interface CallWatch {
  readonly signal: AbortSignal;
  readonly onTurn: (turn: Turn) => void;
  readonly isTimedOut: boolean;
  close(): void;
}

export function watchTurn(questions: QuestionStore, call: WatchedCall): CallWatch {
  const limit = new TimeLimit(call.effect.timeoutMs);
  const told = { run: "", conversation: "", waiting: "" };
  const tellWaiting = (turn: Turn): void => {
    const why = turn.status === "waiting" ? describeWaiting(questions, turn) : "";
    if (why === told.waiting) return;
    told.waiting = why;
    call.onWaiting(why === "" ? null : why);
  };
  return {
    signal: AbortSignal.any([call.signal, limit.signal]),
    onTurn: (turn) => {
      if (turn.runId !== null && turn.runId !== told.run) {
        told.run = turn.runId;
        call.onRun(turn.runId);
      }
      if (turn.conversation !== null && turn.conversation !== told.conversation) {
        told.conversation = turn.conversation;
        call.onConversation(turn.conversation);
      }
      tellWaiting(turn);
      if (turn.status === "running") limit.run();
      else limit.rest();
    },
    get isTimedOut() {
      return limit.signal.aborted;
    },
    close: () => limit.rest(),
  };
}

function describeWaiting(questions: QuestionStore, { id }: Turn): string {
  const open = questions.listOpen().find(({ turnId }) => turnId === id);
  return open === undefined
    ? "a person must answer"
    : `a person must answer ${open.id}: ${open.text}`;
}

/** Counts only while it runs. */
class TimeLimit {
  readonly #over = new AbortController();
  #leftMs: number | null;
  #since = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number | null) {
    this.#leftMs = limitMs;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  run(): void {
    if (this.#leftMs === null || this.#timer !== null) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(), this.#leftMs);
  }

  rest(): void {
    if (this.#timer === null || this.#leftMs === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}
