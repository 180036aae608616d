import type { Ask } from "../command/context.ts";
import { type Fault, fault } from "../command/fault.ts";
import type { Interactor } from "./request.ts";

/** Commands by which a person grants something: no flag given in advance counts for them. */
export const PERSON_ONLY: ReadonlySet<string> = new Set([
  "approve",
  "forget",
  "install",
  "uninstall",
]);

export interface ConsentFacts {
  readonly name: string;
  readonly isDestructive: boolean;
  readonly isBundled: boolean;
  readonly isYesGiven: boolean;
  readonly isBelowAgent: boolean;
  readonly isApproved: boolean;
  readonly canAsk: boolean;
  /** A person sits at a terminal, not at a page that anything on this machine may have opened. */
  readonly isAtTerminal: boolean;
}

export type ConsentDecision =
  | { readonly kind: "granted" }
  | { readonly kind: "ask" }
  | { readonly kind: "refused"; readonly fault: Fault };

export function decideConsent(facts: ConsentFacts): ConsentDecision {
  if (!facts.isDestructive) return { kind: "granted" };
  const isPersonOnly = facts.isBundled && PERSON_ONLY.has(facts.name);
  const isWordGiven = (facts.isYesGiven && !facts.isBelowAgent) || facts.isApproved;
  if (isWordGiven && !isPersonOnly) return { kind: "granted" };
  const isHeard = facts.canAsk && (facts.isAtTerminal || !isPersonOnly);
  if (isHeard && !facts.isBelowAgent) return { kind: "ask" };
  return { kind: "refused", fault: consentRequired(facts, isPersonOnly) };
}

function consentRequired(facts: ConsentFacts, isPersonOnly: boolean): Fault {
  if (facts.isBelowAgent)
    return fault("Required", { name: facts.name }, { hint: "run it yourself, outside the agent" });
  const hint = isPersonOnly ? "run it in a terminal" : "`--yes` allows it";
  return fault("Required", { name: facts.name }, { hint });
}

/**
 * One voice out of several interactors: the first answer wins, one that crashes does not decide.
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
  };
}
