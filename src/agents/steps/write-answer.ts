// What the agents' answers have in common; an agent's own file holds what is special of it.

import { isRecord } from "../../core/project/json-value.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { HookAbilities, HookAgent, PromptAnswer, StepAbility } from "./hook-agent.ts";
import {
  becameWarning,
  contextOf,
  describeUnhonoured,
  isVeto,
  permissionAnswer,
  reasonOf,
  reasonWithContext,
  refusalLeftOut,
} from "./settle-decision.ts";
import { readCalls } from "./tool-table.ts";

/** A decision at a step that the agent offers. */
export interface AnswerInput {
  readonly decision: StepDecision;
  readonly envelope: Envelope;
  readonly ability: StepAbility;
  /** For what the agent does not take at this step. */
  readonly notes: readonly string[];
}

export interface AnswerDraft {
  readonly fields: AnswerFields;
  readonly notes: readonly string[];
}

type DraftAnswer = (input: AnswerInput) => AnswerDraft;

/** How an agent is told a decision, by the step. */
export type StepAnswers = Readonly<Partial<Record<StepName, DraftAnswer>>>;

interface HookCodec
  extends Pick<HookAgent, "name" | "abilities" | "tools" | "readStep">,
    Partial<Pick<HookAgent, "hasOwnRule" | "readPromptToAnswer" | "writePromptAnswer">> {
  readonly answers: StepAnswers;
  /** At the steps it offers that are not among them; by default it is told nothing. */
  readonly otherAnswer?: DraftAnswer;
  /** "No opinion", where an empty stdout would not be safe. */
  readonly silence?: string;
}

/** An agent's hooks from what is its own. Unless it says how, no prompt is answered for it. */
export const makeHookAgent = (codec: HookCodec): HookAgent => {
  const { answers, otherAnswer = draftNothing, silence = "", ...own } = codec;
  return {
    readPromptToAnswer: () => null,
    writePromptAnswer: () => null,
    silence: () => silence,
    writeAnswer: answerWith(
      own.abilities,
      (input) => (answers[input.envelope.step] ?? otherAnswer)(input),
      silence,
    ),
    ...readCalls(own.tools),
    ...own,
  };
};

const draftNothing: DraftAnswer = ({ notes }) => ({ fields: {}, notes });

/** At a step that the agent does not offer it is told nothing. */
const answerWith =
  (
    { steps, showsSystemMessage = false }: HookAbilities,
    say: DraftAnswer,
    silence: string,
  ): HookAgent["writeAnswer"] =>
  (decided, envelope) => {
    const decision = showsSystemMessage ? decided : withNotice(decided);
    const { notice } = decision;
    const ability = steps[envelope.step];
    const left = describeUnhonoured(decision, envelope, ability?.changes ?? []);
    const { fields, notes } =
      ability === undefined
        ? { fields: {}, notes: left }
        : say({ decision, envelope, ability, notes: left });
    const shown = notice === undefined ? {} : { systemMessage: `Adjutant: ${notice}` };
    return { stdout: printAnswer({ ...shown, ...fields }) || silence, notes };
  };

/** Where the agent shows a hook's word to nobody, its model is asked to hand it on. */
function withNotice({ notice, ...decision }: StepDecision): StepDecision {
  if (notice === undefined) return decision;
  const line = `Tell the person first of all, from Adjutant: ${notice}`;
  return { ...decision, additionalContext: [...decision.additionalContext, line] };
}

/** `hookSpecificOutput` of an event; nothing at all where no field has a value. */
export const specificOf = (event: unknown, fields: AnswerFields): AnswerFields =>
  Object.values(fields).some((value) => value !== undefined)
    ? { hookSpecificOutput: { hookEventName: event, ...fields } }
    : {};

const contextFields = (decision: StepDecision, event: unknown): AnswerFields =>
  specificOf(event, { additionalContext: contextOf(decision) });

/** A veto in the agent's own words. */
type Refusal = (reason: string) => AnswerFields;

export const blockFields: Refusal = (reason) => ({ decision: "block", reason });

/** For events that know no `decision`, only whether to go on. */
export const stopFields: Refusal = (stopReason) => ({ continue: false, stopReason });

export const refusalFields = (
  decision: StepDecision,
  refusal: Refusal = blockFields,
): AnswerFields => (isVeto(decision) ? refusal(reasonOf(decision)) : {});

/** Where a veto and context stand side by side. */
export const draftRefusal =
  (refusal: Refusal = blockFields): DraftAnswer =>
  ({ decision, ability, notes }) => ({
    fields: { ...refusalFields(decision, refusal), ...contextFields(decision, ability.event) },
    notes,
  });

/** Context goes with the reason of a veto, never alone. */
export const draftTurnEnd =
  (refusal: Refusal = blockFields): DraftAnswer =>
  ({ decision, notes }) =>
    isVeto(decision)
      ? { fields: refusal(reasonWithContext(decision)), notes: [] }
      : { fields: {}, notes };

/** For starts that cannot be refused. */
export const draftStart: DraftAnswer = ({ decision, envelope, ability, notes }) => ({
  fields: {
    ...refusalFields(decision, (systemMessage) => ({ systemMessage })),
    ...contextFields(decision, ability.event),
  },
  notes: isVeto(decision) ? [...notes, becameWarning(envelope)] : notes,
});

export const draftPermission: DraftAnswer = ({ decision, ability, notes }) => ({
  fields: specificOf(ability.event, { decision: permissionAnswer(decision) }),
  notes,
});

/** For steps at which the agent goes on whatever is said. */
export const draftUnrefusable =
  (
    fieldsOf: (decision: StepDecision, ability: StepAbility) => AnswerFields = () => ({}),
  ): DraftAnswer =>
  ({ decision, envelope, ability, notes }) => ({
    fields: fieldsOf(decision, ability),
    notes: [...notes, ...refusalLeftOut(decision, envelope)],
  });

// Answers are read by strict parsers: one JSON object, and no half of a surrogate pair in it (Codex's parser
// refuses the whole answer for one, and the tool runs).

const LONE_SURROGATE = /\\ud[89a-f]/i;

export type AnswerFields = Readonly<Record<string, unknown>>;

/** Fields that are undefined are left out; without any field there is nothing to say. */
export function printAnswer(fields: AnswerFields): string {
  const text = JSON.stringify(fields);
  if (text === "{}") return "";
  return LONE_SURROGATE.test(text) ? JSON.stringify(mendTexts(fields)) : text;
}

/** A command that printed nothing must not look like no answer. */
export const shownOutput = ({ output, exitCode }: PromptAnswer): string => {
  if (output.trim() !== "") return output;
  return exitCode === 0 ? "(no output)" : `(no output, exit code ${exitCode})`;
};

function mendTexts(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mendTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), mendTexts(inner)]),
  );
}
