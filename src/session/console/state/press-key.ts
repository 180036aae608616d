// What a key means in the console, by what is open: a question, the palette, the line, or the way out.
import {
  type ConsoleEffect,
  type ConsoleState,
  type ConsoleStep,
  changeLine,
  paletteOf,
  stepTo,
} from "./console-state.ts";
import { editByKey, insertText, type KeyPress, takeText, withText } from "./editor.ts";
import { isLeaveLine, readInputLine } from "./input-line.ts";
import { type CommandPalette, complete, namedCommand } from "./palette.ts";
import {
  firstQuestion,
  noteAnswered,
  type OpenQuestion,
  readQuestionKey,
} from "./question-state.ts";
import { styled } from "./styled-line.ts";
import { openCall } from "./transcript-lines.ts";
import { noteCancelling, queuedTurns, runningTurn } from "./turn-state.ts";

export function pressKey(state: ConsoleState, key: KeyPress): ConsoleStep {
  if (key.ctrl && key.text === "c") return interrupt(state);
  const calm = { ...state, isLeaveArmed: false };
  if (calm.focus === "leaving") return pressLeaving(calm, key);
  if (key.ctrl && key.text === "d" && calm.editor.text === "") return tryLeave(calm);
  if (key.ctrl && key.text === "o") return openLastCall(calm);
  const question = firstQuestion(calm.questions);
  if (question !== null) {
    const answered = pressQuestion(calm, question, key);
    if (answered !== null) return answered;
  }
  return pressPalette(calm, key) ?? pressLine(calm, key);
}

// Leaving.

/** Once cancels what runs, twice leaves. */
function interrupt(state: ConsoleState): ConsoleStep {
  if (state.focus === "leaving") return leaveAndCancel(state);
  if (state.isLeaveArmed) return tryLeave(state);
  const armed: ConsoleState = { ...state, isLeaveArmed: true, focus: "line" };
  const running = runningTurn(state.turns);
  if (running === null || running.isCancelling) {
    const cancels: ConsoleEffect[] = state.running.length > 0 ? [{ kind: "cancel-commands" }] : [];
    return stepTo({ ...armed, editor: withText(state.editor, "") }, [], cancels);
  }
  const turns = noteCancelling(state.turns, running.id);
  return stepTo({ ...armed, turns }, [], [{ kind: "cancel", turnId: running.id }]);
}

const unfinished = ({ turns }: ConsoleState) =>
  turns.turns.filter(({ isCancelling }) => !isCancelling);

function tryLeave(state: ConsoleState): ConsoleStep {
  if (unfinished(state).length === 0) return stepTo(state, [], [{ kind: "leave" }]);
  return stepTo({ ...state, focus: "leaving", isLeaveArmed: false });
}

function leaveAndCancel(state: ConsoleState): ConsoleStep {
  // The last in the queue first, so that none of them starts.
  const turns = [...queuedTurns(state.turns)].reverse();
  const running = runningTurn(state.turns);
  const ids = [...turns, ...(running === null ? [] : [running])].map(({ id }) => id);
  const cancels = ids.map((turnId): ConsoleEffect => ({ kind: "cancel", turnId }));
  return stepTo(state, [], [...cancels, { kind: "leave" }]);
}

function pressLeaving(state: ConsoleState, { name, text }: KeyPress): ConsoleStep {
  if (name === "text" && text === "l" && !state.isInside)
    return stepTo(state, [], [{ kind: "leave" }]);
  if (name === "text" && text === "c") return leaveAndCancel(state);
  return stepTo(name === "escape" ? { ...state, focus: "line" } : state);
}

function openLastCall(state: ConsoleState): ConsoleStep {
  const { lastCall } = state.turns;
  if (lastCall === null) return stepTo(state);
  return stepTo({ ...state, opened: state.opened + 1 }, openCall(lastCall, state.opened > 0));
}

// Questions. A key answers only while nothing is typed: nobody's sentence is taken for a yes.

function pressQuestion(
  state: ConsoleState,
  question: OpenQuestion,
  key: KeyPress,
): ConsoleStep | null {
  if (state.focus === "words") return pressWords(state, question, key);
  if (question.kind === "input") {
    if (key.name !== "return" || key.meta) return null;
    return answer(state, question, { answer: state.editor.text, word: "" });
  }
  if (state.editor.text !== "") return null;
  const meaning = readQuestionKey(question, key);
  if (meaning.kind === "answer") return answer(state, question, meaning);
  return meaning.kind === "words" ? stepTo({ ...state, focus: "words" }) : null;
}

function pressWords(
  state: ConsoleState,
  question: OpenQuestion,
  key: KeyPress,
): ConsoleStep | null {
  if (key.name === "escape")
    return stepTo({ ...state, focus: "line", editor: withText(state.editor, "") });
  if (key.name !== "return" || key.meta) return null;
  const words = state.editor.text.trim();
  const given = { decision: "no", ...(words === "" ? {} : { words }) };
  return answer(state, question, { answer: given, word: words === "" ? "no" : `no: ${words}` });
}

function answer(
  state: ConsoleState,
  question: OpenQuestion,
  { answer: given, word }: { readonly answer: ConsoleAnswer; readonly word: string },
): ConsoleStep {
  const questions = noteAnswered(state.questions, question.id);
  const editor = withText(state.editor, "");
  const line = styled("question", `? ${question.text}${word === "" ? "" : ` – ${word}`}`);
  const next: ConsoleState = { ...state, questions, editor, focus: "line" };
  return stepTo(next, [line], [{ kind: "answer", id: question.id, answer: given }]);
}

type ConsoleAnswer = Extract<ConsoleEffect, { kind: "answer" }>["answer"];

// The palette: arrows choose, Tab takes, Escape closes.

function pressPalette(state: ConsoleState, key: KeyPress): ConsoleStep | null {
  const palette = paletteOf(state);
  if (palette === null) return key.name === "tab" ? askPalette(state) : null;
  const count = palette.candidates.length;
  switch (key.name) {
    case "up":
      return stepTo({ ...state, selected: (state.selected + count - 1) % count });
    case "down":
      return stepTo({ ...state, selected: (state.selected + 1) % count });
    case "escape":
      return stepTo({ ...state, isPaletteClosed: true });
    case "tab":
      return take(state, palette);
    case "return":
      return isOpenEnded(state, palette) && !key.meta ? take(state, palette) : null;
    default:
      return null;
  }
}

const askPalette = (state: ConsoleState): ConsoleStep =>
  stepTo({ ...state, isPaletteAsked: true, isPaletteClosed: false });

/** Enter on a part of a name or a file completes it, and runs nothing. */
function isOpenEnded(
  { editor, sources }: ConsoleState,
  { kind, from, candidates }: CommandPalette,
) {
  if (kind === "name") return namedCommand(editor.text, sources) === null;
  if (kind === "word") return false;
  const typed = editor.text.slice(from, editor.cursor);
  return !candidates.some(({ value }) => value === typed);
}

function take(state: ConsoleState, palette: CommandPalette): ConsoleStep {
  const candidate = palette.candidates[state.selected] ?? palette.candidates[0];
  if (candidate === undefined) return stepTo(state);
  return changeLine(state, complete(state.editor, palette, candidate));
}

// The line itself.

function pressLine(state: ConsoleState, key: KeyPress): ConsoleStep {
  const edited = editByKey(state.editor, key);
  if (edited !== null) return changeLine(state, edited);
  if (key.name !== "return") return stepTo(state);
  const { text, cursor } = state.editor;
  if (text.endsWith("\\") && cursor === text.length)
    return changeLine(state, insertText(withText(state.editor, text.slice(0, -1)), "\n"));
  return submit(state);
}

function submit(state: ConsoleState): ConsoleStep {
  const input = readInputLine(state.editor.text);
  if (input.kind === "nothing") return stepTo(state);
  const taken = changeLine(state, takeText(state.editor)).state;
  if (input.kind === "prompt") return stepTo(taken, [], [{ kind: "send", text: input.text }]);
  const isNamed = namedCommand(state.editor.text, state.sources) !== null;
  if (input.kind === "command" && isLeaveLine(input.line) && !isNamed) return tryLeave(taken);
  const line = `${input.kind === "command" ? "/" : "!"}${input.line}`;
  const next = { ...taken, running: [...state.running, line] };
  return stepTo(next, [], [{ kind: input.kind, line: input.line }]);
}
