// Questions that wait in the console, whoever asks them, and which key is which answer. Pure.
import type { JsonValue } from "../../../core/command/context.ts";
import type { Question, QuestionKind } from "../../../core/store/questions.ts";
import type { KeyPress } from "./editor.ts";
import { diffLinesOf, foldLines, type StyledLine, styled } from "./styled-line.ts";
import { showAnswered } from "./transcript-lines.ts";

/** Of a turn, or of a command that this console runs. */
export interface OpenQuestion {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly text: string;
  readonly choices: readonly string[];
  readonly details: Question["details"];
  /** What is typed is not shown. */
  readonly isSecret: boolean;
}

export interface QuestionsState {
  readonly open: readonly OpenQuestion[];
  /** Ids of those that this window answered. */
  readonly answered: readonly string[];
}

export const NO_QUESTIONS: QuestionsState = { open: [], answered: [] };

export function applyQuestion(
  state: QuestionsState,
  question: Question,
): { readonly state: QuestionsState; readonly lines: readonly StyledLine[] } {
  const isKnown = state.open.some(({ id }) => id === question.id);
  const isOurs = state.answered.includes(question.id);
  if (question.status === "open") {
    if (isKnown || isOurs) return { state, lines: [] };
    return { state: addQuestion(state, { ...question, isSecret: false }), lines: [] };
  }
  if (!isKnown && !isOurs) return { state, lines: [] };
  return { state: dropQuestion(state, question.id), lines: showAnswered(question, isOurs) };
}

export const addQuestion = (state: QuestionsState, question: OpenQuestion): QuestionsState => ({
  ...state,
  open: [...state.open, question],
});

export const dropQuestion = (state: QuestionsState, id: string): QuestionsState => ({
  ...state,
  open: state.open.filter((one) => one.id !== id),
});

export const noteAnswered = (state: QuestionsState, id: string): QuestionsState => ({
  open: state.open.filter((one) => one.id !== id),
  answered: [...state.answered, id],
});

/** The one that keys are for: the others wait behind it. */
export const firstQuestion = ({ open }: QuestionsState): OpenQuestion | null => open[0] ?? null;

type KeyMeaning =
  | { readonly kind: "answer"; readonly answer: JsonValue; readonly word: string }
  /** The reason is typed next. */
  | { readonly kind: "words" }
  | { readonly kind: "nothing" };

const NOTHING: KeyMeaning = { kind: "nothing" };

export function readQuestionKey(
  question: OpenQuestion,
  { name, text, ctrl }: KeyPress,
): KeyMeaning {
  if (name !== "text" || ctrl) return NOTHING;
  const key = text.toLowerCase();
  switch (question.kind) {
    case "confirm":
      return key === "y" ? says(true, "yes") : key === "n" ? says(false, "no") : NOTHING;
    case "approval":
      return readApprovalKey(question, key);
    case "select":
      return readChoiceKey(question, key);
    case "input":
      return NOTHING;
  }
}

const says = (answer: JsonValue, word: string): KeyMeaning => ({ kind: "answer", answer, word });

/** A yes and a no have the same keys everywhere. */
const CHOICE_KEYS: Readonly<Record<string, string>> = { yes: "y", "yes-session": "a", no: "n" };

/** By its number, or by the key that it has everywhere. */
function readChoiceKey({ choices }: OpenQuestion, key: string): KeyMeaning {
  const named = choices.find((choice) => CHOICE_KEYS[choice] === key);
  const choice = /^[1-9]$/.test(key) ? choices[Number(key) - 1] : named;
  return choice !== undefined && choices.includes(choice) ? says(choice, choice) : NOTHING;
}

function readApprovalKey(question: OpenQuestion, key: string): KeyMeaning {
  if (key === "y") return says({ decision: "yes" }, "yes");
  if (key === "a" && ruleOf(question) !== null)
    return says({ decision: "session" }, `yes, and from now on ${ruleOf(question)}`);
  if (key === "n") return says({ decision: "no" }, "no");
  return key === "w" ? { kind: "words" } : NOTHING;
}

function ruleOf({ choices, details }: OpenQuestion): string | null {
  const { ruleText } = details;
  return choices.includes("yes-session") && typeof ruleText === "string" ? ruleText : null;
}

const MAX_DIFF_LINES = 12;

/** The question as it stands above the line that is typed. */
export function showQuestion(question: OpenQuestion): StyledLine[] {
  const { diff } = question.details;
  const lines = typeof diff === "string" ? diffLinesOf(diff) : [];
  return [
    styled("question", `? ${question.text}`),
    ...foldLines(lines, MAX_DIFF_LINES),
    ...describeKeys(question).map((keys) => styled("strong", `  ${keys}`)),
  ];
}

function describeKeys(question: OpenQuestion): string[] {
  switch (question.kind) {
    case "confirm":
      return ["y yes · n no"];
    case "select":
      return [
        question.choices
          .map((choice, at) => `${CHOICE_KEYS[choice] ?? at + 1} ${choice}`)
          .join(" · "),
      ];
    case "input":
      return ["type the answer, Enter gives it"];
    case "approval": {
      const rule = ruleOf(question);
      const session = rule === null ? [] : [`a yes, and from now on ${rule}`];
      return ["y yes · n no · w no, with words", ...session];
    }
  }
}
