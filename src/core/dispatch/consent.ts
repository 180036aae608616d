// Whether a command may run: the word of a person, asked for where it was not given in advance.
import { untilAborted } from "../command/cancellation.ts";
import type { Ask } from "../command/context.ts";
import { type Fault, fault } from "../command/fault.ts";
import { shapeOf } from "../command/recorded-arguments.ts";
import type { Interactor } from "../command/request.ts";
import type { Lease } from "../store/stores.ts";
import type { DispatchContext } from "./dispatch-context.ts";

export interface ConsentFacts {
  readonly name: string;
  readonly isDestructive: boolean;
  /** No word given in advance counts for it. */
  readonly isForPerson: boolean;
  readonly isYesGiven: boolean;
  readonly isBelowAgent: boolean;
  readonly isApproved: boolean;
  /** The stage of an attached workflow names it: whoever wrote that gave the word. */
  readonly isNamedByStage: boolean;
  readonly canAsk: boolean;
  /** Whoever asks, a person can be reached in a window of their own. */
  readonly hasInbox: boolean;
  /** A person sits at a terminal, not at a page that anything on this machine may have opened. */
  readonly isAtTerminal: boolean;
}

type ConsentDecision =
  | { readonly kind: "granted" }
  | { readonly kind: "ask" }
  | { readonly kind: "refused"; readonly fault: Fault };

export function decideConsent(facts: ConsentFacts): ConsentDecision {
  if (!facts.isDestructive) return { kind: "granted" };
  const isPersonOnly = facts.isForPerson;
  const isWordGiven =
    (facts.isYesGiven && !facts.isBelowAgent) || facts.isApproved || facts.isNamedByStage;
  if (isWordGiven && !isPersonOnly) return { kind: "granted" };
  const isHeard = facts.canAsk && (facts.isAtTerminal || !isPersonOnly);
  if (isHeard && !facts.isBelowAgent) return { kind: "ask" };
  if (facts.hasInbox && !isPersonOnly) return { kind: "ask" };
  return { kind: "refused", fault: consentRequired(facts, isPersonOnly) };
}

function consentRequired(facts: ConsentFacts, isPersonOnly: boolean): Fault {
  if (facts.isBelowAgent)
    return fault("Required", { name: facts.name }, { hint: "run it yourself, outside the agent" });
  const hint = isPersonOnly ? "run it in a terminal" : "`--yes` allows it";
  return fault("Required", { name: facts.name }, { hint });
}

/**
 * Asks several interactors at once: the first answer wins, one that crashes does not decide.
 * When all crash the last error is what the asker gets.
 */
export function askAll(interactors: readonly Interactor[], onNobody: () => Fault): Ask {
  const ask = async <Answer>(
    question: (interactor: Interactor) => Promise<Answer>,
  ): Promise<Answer> => {
    if (interactors.length === 0) throw onNobody();
    try {
      return await Promise.any(interactors.map(async (interactor) => question(interactor)));
    } catch (error) {
      throw error instanceof AggregateError ? error.errors.at(-1) : error;
    }
  };
  return {
    confirm: (question) => ask((interactor) => interactor.confirm(question)),
    select: (question, choices) => ask((interactor) => interactor.select(question, choices)),
    input: (question, options) => ask((interactor) => interactor.input(question, options)),
    choose: (question, choices) => ask((interactor) => chooseBy(interactor, question, choices)),
  };
}

async function chooseBy(
  interactor: Interactor,
  question: string,
  choices: readonly string[],
): Promise<readonly string[]> {
  if (interactor.choose !== undefined) return interactor.choose(question, choices);
  const chosen: string[] = [];
  for (const choice of choices)
    if (await interactor.confirm(`${question} ${choice}`)) chosen.push(choice);
  return chosen;
}

/** Below an agent a terminal is as good as the agent's own, and only the inbox is a person's. */
export const interactorsOfPerson = (
  isAgent: boolean,
  interactors: readonly Interactor[],
): Interactor[] => interactors.filter(({ isInbox = false }) => isInbox || !isAgent);

/** Questions of one dispatch: recorded, cancellable, and without holding the session while waiting. */
export function createAsking(context: DispatchContext): Ask {
  const { attachment, scope, lease, note, recordText } = context;
  const everybody = (): Ask => {
    const isAgent = context.isBelowAgent();
    return askAll(interactorsOfPerson(isAgent, attachment.interactors ?? []), () => {
      const hint = isAgent ? "run it yourself, outside the agent" : "run it in a terminal";
      return fault("Required", { name: context.command.summary.name }, { hint });
    });
  };
  const ask = async <Answer>(kind: string, question: string, put: () => Promise<Answer>) => {
    note("InteractionRaised", { kind, question: recordText.mask(question) });
    const answer = await withoutLease(lease.isKept ? null : lease.held, scope.signal, () =>
      untilAborted(put(), scope.signal),
    );
    note("InteractionAnswered", { kind, answer: shapeOf(answer) });
    return answer;
  };
  return {
    confirm: (question) => ask("confirm", question, () => everybody().confirm(question)),
    select: (question, choices) =>
      ask("select", question, () => everybody().select(question, choices)),
    input: (question, options) =>
      ask("input", question, () => everybody().input(question, options)),
    choose: (question, choices) =>
      ask("choose", question, () => everybody().choose(question, choices)),
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
