import type { Ask } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { shapeOf } from "../command/shape.ts";
import type { Lease } from "../storage/stores.ts";
import { askAll } from "./consent.ts";
import type { Interactor } from "./request.ts";
import { untilAborted } from "./until-aborted.ts";

export interface AskingFacts {
  readonly name: string;
  readonly interactors: readonly Interactor[];
  readonly isBelowAgent: boolean;
  readonly signal: AbortSignal;
  /** The lease to give back while a person thinks; null when none is held or it is to be kept. */
  readonly lease: () => Lease | null;
  readonly onRaised: (kind: string, question: string) => void;
  readonly onAnswered: (kind: string, shape: string) => void;
}

/** Questions of one dispatch: recorded, cancellable, and without holding the session while waiting. */
export function createAsking(facts: AskingFacts): Ask {
  const interactors = facts.isBelowAgent ? [] : facts.interactors;
  const voices = askAll(interactors, () => {
    const hint = facts.isBelowAgent ? "run it yourself, outside the agent" : "run it in a terminal";
    return fault("Required", { name: facts.name }, { hint });
  });
  const ask = async <Answer>(kind: string, question: string, put: () => Promise<Answer>) => {
    facts.onRaised(kind, question);
    const answer = await withoutLease(facts.lease(), facts.signal, () =>
      untilAborted(put(), facts.signal),
    );
    facts.onAnswered(kind, shapeOf(answer));
    return answer;
  };
  return {
    confirm: (question) => ask("confirm", question, () => voices.confirm(question)),
    select: (question, choices) => ask("select", question, () => voices.select(question, choices)),
    input: (question, options) => ask("input", question, () => voices.input(question, options)),
  };
}

/** The lease comes back also after a question that nobody could answer: the command may go on. */
async function withoutLease<Answer>(
  lease: Lease | null,
  signal: AbortSignal,
  work: () => Promise<Answer>,
): Promise<Answer> {
  lease?.pause();
  try {
    return await work();
  } finally {
    if (!signal.aborted) await lease?.resume(signal);
  }
}
