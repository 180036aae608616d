// A question of a workflow: it waits as long as it takes, over hosts, and is answered from any window.

import type { JsonValue } from "../../core/command/context.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { NewQuestion, QuestionStore } from "../../core/store/questions.ts";
import type { EffectPorts } from "../engine/effect.ts";

type AskCall = Parameters<EffectPorts["ask"]>[0];

/** The answer in the words of the workflow; null where nobody will give one. */
export async function askPersonFor(
  services: HostServices,
  call: AskCall,
  isLeaving: () => boolean,
): Promise<JsonValue | null> {
  const { questions } = services.program.sessions();
  const id = findId(questions, call);
  call.onWaiting(`a person must answer ${id}: ${maskSecrets(call.question)}`);
  try {
    const answer = await services.ask(describe(id, call), call.signal);
    const kept = questions.read(id)?.answer ?? null;
    if (kept !== null) call.onKept(readAnswer(call, kept) ?? kept);
    return readAnswer(call, answer);
  } finally {
    call.onWaiting(null);
    // Stopped or skipped: nobody will ask for the answer again.
    if (call.signal.aborted && !isLeaving()) questions.close(id, "closed");
  }
}

/** Short, since a person types it; of the entry and how often it was asked. */
function findId(questions: QuestionStore, { workflowRunId, number, isTakenUp }: AskCall): string {
  const idOf = (times: number) => `q${sha256(`${workflowRunId} ${number} ${times}`).slice(0, 7)}`;
  let times = 0;
  while (questions.read(idOf(times)) !== null) times += 1;
  const last = times === 0 ? null : questions.read(idOf(times - 1));
  const isLeft = isTakenUp && last !== null && last.status !== "closed";
  return idOf(isLeft ? times - 1 : times);
}

function describe(id: string, call: AskCall): NewQuestion {
  const { sessionId, question, choices, isInput, workflowRunId, number } = call;
  const kind = isInput ? "input" : choices.length > 0 ? "select" : "confirm";
  return {
    id,
    sessionId,
    turnId: null,
    kind,
    text: maskSecrets(question),
    details: { workflowRun: workflowRunId, call: number },
    choices: kind === "confirm" ? ["yes", "no"] : choices,
    fallback: null,
    deadlineAt: null,
    isDurable: true,
  };
}

/** Yes and no come as such from a script's point of view; whatever is no choice of these was not offered. */
function readAnswer({ choices, isInput }: AskCall, answer: JsonValue | null): JsonValue | null {
  if (answer === null || isInput || choices.length > 0) return answer;
  return answer === true || answer === "yes" || answer === "y";
}
