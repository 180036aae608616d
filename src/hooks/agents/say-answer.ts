// What the agents' answers have in common; an agent's own file holds what is special of it.
import type { Decision } from "../decision.ts";
import type { Envelope } from "../envelope.ts";
import type { HookAbilities, HookAgent, StepAbility } from "./hook-agent.ts";
import { type AnswerFields, printAnswer } from "./print-answer.ts";
import {
  becameWarning,
  contextOf,
  isVeto,
  reasonOf,
  reasonWithContext,
  unhonoured,
} from "./settle-decision.ts";

/** A decision at a step that the agent offers. */
export interface Telling {
  readonly decision: Decision;
  readonly envelope: Envelope;
  readonly ability: StepAbility;
  /** For what the agent does not take at this step. */
  readonly notes: readonly string[];
}

export interface Said {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

type Say = (telling: Telling) => Said;

/** At a step that the agent does not offer it is told nothing. */
export const answerWith =
  ({ steps }: HookAbilities, say: Say, silence = ""): HookAgent["writeAnswer"] =>
  (decision, envelope) => {
    const ability = steps[envelope.step];
    const left = unhonoured(decision, envelope, ability?.changes ?? []);
    const { fields, notes } =
      ability === undefined
        ? { fields: {}, notes: left }
        : say({ decision, envelope, ability, notes: left });
    return { stdout: printAnswer(fields) || silence, notes };
  };

/** Left out without any field. */
export const specificOf = (event: unknown, fields: AnswerFields): AnswerFields =>
  Object.values(fields).some((value) => value !== undefined)
    ? { hookSpecificOutput: { hookEventName: event, ...fields } }
    : {};

export const contextFields = (decision: Decision, event: unknown): AnswerFields =>
  specificOf(event, { additionalContext: contextOf(decision) });

/** A veto in the agent's own words. */
type Refusal = (reason: string) => AnswerFields;

export const block: Refusal = (reason) => ({ decision: "block", reason });

export const refuse = (decision: Decision, refusal: Refusal = block): AnswerFields =>
  isVeto(decision) ? refusal(reasonOf(decision)) : {};

/** Context goes with the reason of a veto, never alone. */
export const sayTurnEnd = ({ decision, notes }: Telling, refusal: Refusal = block): Said =>
  isVeto(decision)
    ? { fields: refusal(reasonWithContext(decision)), notes: [] }
    : { fields: {}, notes };

/** For starts that cannot be refused. */
export const sayStart = ({ decision, envelope, notes }: Telling, event: unknown): Said => ({
  fields: {
    ...refuse(decision, (systemMessage) => ({ systemMessage })),
    ...contextFields(decision, event),
  },
  notes: isVeto(decision) ? [...notes, becameWarning(envelope)] : notes,
});
