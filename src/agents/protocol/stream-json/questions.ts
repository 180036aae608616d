// What the agent has asked about and is waiting to hear.
import type { ToolAnswer, ToolRequest } from "../../run/conversation.ts";
import { answerQuestion, type ToolQuestion } from "./messages.ts";

interface OpenQuestion {
  readonly question: ToolQuestion;
  readonly stop: AbortController;
  readonly timer: NodeJS.Timeout | null;
}

interface QuestionOptions {
  readonly send: (message: object) => void;
  /** So long the agent waits for an answer; then it denies by itself and says nothing. Null: without limit. */
  readonly limitMs: number | null;
}

export class OpenQuestions {
  readonly #options: QuestionOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Asks whoever decides, and tells the agent if it still wants to know; null where it does not. */
  async ask(
    id: string,
    question: ToolQuestion,
    decide: (request: ToolRequest) => Promise<ToolAnswer>,
  ): Promise<ToolAnswer | null> {
    const { limitMs } = this.#options;
    const stop = new AbortController();
    const timer = limitMs === null ? null : setTimeout(() => this.withdraw(id), limitMs);
    timer?.unref();
    this.#open.set(id, { question, stop, timer });
    const answer = await decide({ ...question, signal: stop.signal });
    return this.#close(id) ? this.#send(id, question, answer) : null;
  }

  withdraw(id: string): void {
    const open = this.#open.get(id);
    this.#close(id);
    open?.stop.abort();
  }

  /** Answers everything that is open, because nobody will decide any more. */
  denyAll(reason: string): void {
    for (const [id, { question, stop }] of [...this.#open]) {
      this.#close(id);
      stop.abort();
      this.#send(id, question, { kind: "deny", reason });
    }
  }

  #send(id: string, question: ToolQuestion, answer: ToolAnswer): ToolAnswer {
    this.#options.send(answerQuestion(id, question, answer));
    return answer;
  }

  #close(id: string): boolean {
    const timer = this.#open.get(id)?.timer;
    if (timer) clearTimeout(timer);
    return this.#open.delete(id);
  }
}
