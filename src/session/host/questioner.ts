// Questions to whoever is there: a row first, then every window sees it; the first answer wins, whichever process
// wrote it. Without an answer the safe one counts.
import type { JsonValue } from "../../core/command/context.ts";
import type { NewQuestion, Question, QuestionStore } from "../../core/store/questions.ts";
import { waitForAnswer } from "../../core/store/wait-for-answer.ts";

export interface AskedQuestion {
  readonly question: NewQuestion;
  /** Fires when nobody needs the answer any more. */
  readonly signal: AbortSignal;
  /** Told when the row is there, and when it has ended. */
  readonly show: (question: Question) => void;
}

/** The answer; null where nobody gave one. It never rejects but for a store that fails. */
export async function askPerson(
  store: QuestionStore,
  { question, signal, show }: AskedQuestion,
): Promise<JsonValue | null> {
  const asked = store.ask(question);
  show(asked);
  const answer = await waitForAnswer(store, asked.id, signal);
  const ended = store.read(asked.id);
  if (ended !== null) show(ended);
  return answer;
}
