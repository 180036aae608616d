// Questions to whoever is there: a row first, then every window sees it; the first answer wins, whichever process
// wrote it. Without an answer the safe one counts.
import type { JsonValue } from "../../core/command/context.ts";
import type { NewQuestion } from "../../core/store/questions.ts";
import type { StateStore } from "../../core/store/stores.ts";
import { waitForAnswer } from "../../core/store/wait-for-answer.ts";
import type { HostEvent } from "./session-host.ts";

export class Questioner {
  readonly #store: Pick<StateStore, "questions" | "turns">;
  readonly #show: (event: HostEvent) => void;
  /** How many questions of a turn are open: an agent may ask several at once. */
  readonly #open = new Map<string, number>();

  constructor(store: Pick<StateStore, "questions" | "turns">, show: (event: HostEvent) => void) {
    this.#store = store;
    this.#show = show;
  }

  /** The answer; null where nobody gave one. The turn is `waiting` meanwhile. It rejects only for a store that fails. */
  async ask(question: NewQuestion, signal: AbortSignal): Promise<JsonValue | null> {
    const { turnId } = question;
    this.#count(turnId, 1);
    try {
      return await this.#askOnce(question, signal);
    } finally {
      this.#count(turnId, -1);
    }
  }

  async #askOnce(question: NewQuestion, signal: AbortSignal): Promise<JsonValue | null> {
    const { questions } = this.#store;
    const asked = questions.ask(question);
    this.#show({ kind: "question", question: asked });
    const answer = await waitForAnswer(questions, asked.id, signal);
    const ended = questions.read(asked.id);
    if (ended !== null) this.#show({ kind: "question", question: ended });
    return answer;
  }

  /** The first question makes the turn wait, and the end of the last one lets it run. */
  #count(turnId: string | null, change: 1 | -1): void {
    if (turnId === null) return;
    const { turns } = this.#store;
    const before = this.#open.get(turnId) ?? 0;
    const now = before + change;
    if (now === 0) this.#open.delete(turnId);
    else this.#open.set(turnId, now);
    if (before > 0 && now > 0) return;
    turns.setWaiting(turnId, now > 0);
    const turn = turns.read(turnId);
    if (turn !== null) this.#show({ kind: "turn", turn });
  }
}
