// Questions to whoever is there: a row first, then every window sees it; the first answer wins, whichever process
// wrote it. Without an answer the safe one counts.
import type { JsonValue } from "../../core/command/context.ts";
import type { NewQuestion } from "../../core/store/questions.ts";
import type { StateStore } from "../../core/store/stores.ts";
import { waitForAnswer } from "../../core/store/wait-for-answer.ts";
import type { HostEvent } from "./session-host.ts";

/** An agent may ask a thousand things at once; a person sees so many of them, and the others when these are answered. */
const MAX_OPEN = 20;

/** What is asked on behalf of one turn, or of none. */
interface TurnQuestions {
  asked: number;
  open: number;
  isWaiting: boolean;
  readonly waiting: (() => void)[];
}

export class Questioner {
  readonly #store: Pick<StateStore, "questions" | "turns">;
  readonly #show: (event: HostEvent) => void;
  readonly #turns = new Map<string | null, TurnQuestions>();

  constructor(store: Pick<StateStore, "questions" | "turns">, show: (event: HostEvent) => void) {
    this.#store = store;
    this.#show = show;
  }

  /** The answer; null where nobody gave one. The turn is `waiting` meanwhile. It rejects only for a store that fails. */
  async ask(question: NewQuestion, signal: AbortSignal): Promise<JsonValue | null> {
    const { turnId } = question;
    const turn = this.#turns.get(turnId) ?? { asked: 0, open: 0, isWaiting: false, waiting: [] };
    this.#turns.set(turnId, turn);
    turn.asked += 1;
    try {
      return await this.#askInLine(turn, question, signal);
    } finally {
      turn.asked -= 1;
      if (turn.asked === 0) this.#turns.delete(turnId);
      if (turn.asked === 0 && turn.isWaiting) this.#setWaiting(turnId, false);
    }
  }

  async #askInLine(
    turn: TurnQuestions,
    question: NewQuestion,
    signal: AbortSignal,
  ): Promise<JsonValue | null> {
    if (turn.open < MAX_OPEN) turn.open += 1;
    else await new Promise<void>((resolve) => turn.waiting.push(resolve));
    try {
      return signal.aborted || isLate(question)
        ? null
        : await this.#askOnce(turn, question, signal);
    } finally {
      const next = turn.waiting.shift();
      if (next === undefined) turn.open -= 1;
      else next();
    }
  }

  async #askOnce(
    turn: TurnQuestions,
    question: NewQuestion,
    signal: AbortSignal,
  ): Promise<JsonValue | null> {
    const { questions } = this.#store;
    const asked = questions.ask(question);
    // Whoever hears that the turn waits finds what it waits for.
    if (!turn.isWaiting) this.#setWaiting(question.turnId, true);
    turn.isWaiting = true;
    this.#show({ kind: "question", question: asked });
    const answer = await waitForAnswer(questions, asked.id, signal);
    const ended = questions.read(asked.id);
    if (ended !== null) this.#show({ kind: "question", question: ended });
    return answer;
  }

  #setWaiting(turnId: string | null, isWaiting: boolean): void {
    if (turnId === null) return;
    const { turns } = this.#store;
    turns.setWaiting(turnId, isWaiting);
    const turn = turns.read(turnId);
    if (turn !== null) this.#show({ kind: "turn", turn });
  }
}

const isLate = ({ deadlineAt }: NewQuestion): boolean =>
  deadlineAt !== null && Date.parse(deadlineAt) <= Date.now();
