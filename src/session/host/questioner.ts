// Questions to whoever is there: a row first, then every window sees it; the first answer wins, whichever process
// wrote it. Without an answer the safe one counts.
import { setTimeout as pause } from "node:timers/promises";
import type { JsonValue } from "../../core/command/context.ts";
import type { NewQuestion, Question, QuestionStore } from "../../core/store/questions.ts";

/** Answers are written by other processes too: they are found by looking. */
const LOOK_MS = 50;

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
  const deadline = asked.deadlineAt === null ? null : Date.parse(asked.deadlineAt);
  for (;;) {
    const now = store.read(asked.id);
    if (now === null || now.status !== "open") {
      if (now !== null) show(now);
      return now?.status === "answered" ? now.answer : null;
    }
    if (signal.aborted) store.close(asked.id, "closed");
    else if (deadline !== null && Date.now() > deadline) store.close(asked.id, "expired");
    else await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
