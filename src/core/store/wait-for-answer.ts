// Waiting for the answer to a question that is a row: whoever answers may be another process.
import { waitUnlessAborted } from "../command/cancellation.ts";
import type { JsonValue } from "../command/context.ts";
import type { QuestionStore } from "./questions.ts";

const LOOK_EVERY_MS = 50;

/** The answer; null where nobody gave one until the deadline, or nobody waits for it any more. */
export async function waitForAnswer(
  store: QuestionStore,
  id: string,
  signal: AbortSignal,
): Promise<JsonValue | null> {
  for (;;) {
    const question = store.read(id);
    if (question === null) return null;
    if (question.status !== "open") return question.status === "answered" ? question.answer : null;
    const isLate = question.deadlineAt !== null && Date.parse(question.deadlineAt) <= Date.now();
    // Where an answer came first it counts, and is read next time.
    if (isLate) store.close(id, "expired");
    else if (signal.aborted) {
      // Whoever goes on with the work adopts it.
      if (question.isDurable === true) return null;
      if (!store.withdraw(id)) return null;
    } else await waitUnlessAborted(LOOK_EVERY_MS, signal);
  }
}
