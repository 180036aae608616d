// Questions to whoever is there: a row first, then every window sees it; the first answer wins, whichever process
// wrote it. Without an answer the safe one counts.
import type { JsonValue } from "../../core/command/context.ts";
import type { NewQuestion } from "../../core/store/questions.ts";
import type { StateStore } from "../../core/store/stores.ts";
import { waitForAnswer } from "../../core/store/wait-for-answer.ts";
import type { HostEvent } from "./session-host.ts";

/** An agent may ask a thousand things at once; a person sees so many of them, and the others when these are answered. */
const MAX_OPEN = 20;

/** Answers that nobody came for, since their work was not taken up; then what was written counts. */
const MAX_UNTAKEN = 100;

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
  readonly #waitedFor = new Set<string>();
  /** Answers by question until they are taken: what the row may not hold is in memory alone. */
  readonly #whole = new Map<string, JsonValue>();

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
    const asked = this.#adopt(question) ? null : questions.ask(question);
    // Whoever hears that the turn waits finds what it waits for.
    if (!turn.isWaiting) this.#setWaiting(question.turnId, true);
    turn.isWaiting = true;
    if (asked !== null) this.#show({ kind: "question", question: asked });
    const answer = await this.#untilAnswered(question.id, signal);
    const ended = questions.read(question.id);
    if (ended !== null) this.#show({ kind: "question", question: ended });
    return answer;
  }

  /** Whether a host that is gone asked it; the answer may have come meanwhile. */
  #adopt({ id, isDurable = false }: NewQuestion): boolean {
    const { questions } = this.#store;
    if (!isDurable || questions.read(id) === null) return false;
    questions.adopt(id);
    return true;
  }

  async #untilAnswered(id: string, signal: AbortSignal): Promise<JsonValue | null> {
    this.#waitedFor.add(id);
    try {
      const kept = await waitForAnswer(this.#store.questions, id, signal);
      return kept === null ? null : (this.#whole.get(id) ?? kept);
    } finally {
      this.#waitedFor.delete(id);
      this.#whole.delete(id);
    }
  }

  /**
   * Whoever waits here gets it whole, or will: what goes on over hosts may not have been taken up yet. `kept` is what may be
   * written. False where somebody was quicker.
   */
  answer(id: string, answer: JsonValue, { by, kept }: { by: string; kept: JsonValue }): boolean {
    const { questions } = this.#store;
    const isTaken = this.#waitedFor.has(id) || questions.read(id)?.isDurable === true;
    if (!questions.answer(id, kept, by)) return false;
    if (isTaken) this.#whole.set(id, answer);
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MAX_UNTAKEN && oldest !== undefined) this.#whole.delete(oldest);
    return true;
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
