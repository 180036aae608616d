// The console as data: its state, what can happen to it, and what can come of that.
import type { JsonValue } from "../../../core/command/context.ts";
import type { Turn } from "../../../core/store/turn-row.ts";
import type { HostEvent } from "../../host/session-host.ts";
import { createEditor, type Editor, type KeyPress } from "./editor.ts";
import { type CommandPalette, offer, type PaletteSources, wantsFiles } from "./palette.ts";
import { NO_QUESTIONS, type OpenQuestion, type QuestionsState } from "./question-state.ts";
import type { StyledLine } from "./styled-line.ts";
import type { EndedCommand } from "./transcript-lines.ts";
import { NO_TURNS, type TurnsState } from "./turn-state.ts";

export interface ConsoleState {
  readonly turns: TurnsState;
  readonly questions: QuestionsState;
  readonly editor: Editor;
  readonly sources: PaletteSources;
  /** Which candidate of the palette is chosen. */
  readonly selected: number;
  readonly isPaletteClosed: boolean;
  /** Tab was pressed where nothing is offered by itself. */
  readonly isPaletteAsked: boolean;
  /** What a key is for: the line, the reason of a no, or how to leave. */
  readonly focus: "line" | "words" | "leaving";
  /** Ctrl-C was pressed; the next one leaves. */
  readonly isLeaveArmed: boolean;
  /** How often the last tool call was opened. */
  readonly opened: number;
  /** Lines of commands that run. */
  readonly running: readonly string[];
  readonly status: SessionStatus;
  readonly size: ScreenSize;
  /** The host ends with this window, so nothing can be left to it. */
  readonly isInside: boolean;
}

export interface SessionStatus {
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: string;
  /** `ship: plan`, of the workflow that is attached. */
  readonly stage: string | null;
}

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export type ConsoleAction =
  | { readonly kind: "host"; readonly event: HostEvent }
  | { readonly kind: "recalled"; readonly turns: readonly Turn[] }
  | { readonly kind: "sent"; readonly turn: Turn; readonly text: string }
  | { readonly kind: "key"; readonly key: KeyPress }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "resized"; readonly size: ScreenSize }
  | { readonly kind: "status"; readonly status: SessionStatus }
  | { readonly kind: "sources"; readonly sources: Partial<PaletteSources> }
  | { readonly kind: "command-ended"; readonly command: EndedCommand }
  | { readonly kind: "asked"; readonly question: OpenQuestion }
  | { readonly kind: "unasked"; readonly id: string }
  | { readonly kind: "problem"; readonly text: string };

export type ConsoleEffect =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "answer"; readonly id: string; readonly answer: JsonValue }
  | { readonly kind: "cancel"; readonly turnId: string }
  | { readonly kind: "cancel-commands" }
  | { readonly kind: "list-files" }
  | { readonly kind: "refresh" }
  | { readonly kind: "leave" };

export interface ConsoleStep {
  readonly state: ConsoleState;
  readonly lines: readonly StyledLine[];
  readonly effects: readonly ConsoleEffect[];
}

export const createConsoleState = (
  given: Pick<ConsoleState, "status" | "size" | "isInside"> & {
    readonly commands: PaletteSources["commands"];
    readonly hidden?: ReadonlySet<string>;
    readonly history: readonly string[];
  },
): ConsoleState => ({
  turns: NO_TURNS,
  questions: NO_QUESTIONS,
  editor: createEditor(given.history),
  sources: {
    commands: given.commands,
    ...(given.hidden === undefined ? {} : { hidden: given.hidden }),
    files: null,
  },
  selected: 0,
  isPaletteClosed: false,
  isPaletteAsked: false,
  focus: "line",
  isLeaveArmed: false,
  opened: 0,
  running: [],
  status: given.status,
  size: given.size,
  isInside: given.isInside,
});

export const stepTo = (
  state: ConsoleState,
  lines: readonly StyledLine[] = [],
  effects: readonly ConsoleEffect[] = [],
): ConsoleStep => ({ state, lines, effects });

/** The text of the line is another one now. */
export function changeLine(state: ConsoleState, editor: Editor): ConsoleStep {
  const fresh = { selected: 0, isPaletteClosed: false, isPaletteAsked: false };
  const isMoved = editor.text === state.editor.text;
  const next = { ...state, editor, isLeaveArmed: false, ...(isMoved ? {} : fresh) };
  return stepTo(next, [], wantsFiles(editor, state.sources) ? [{ kind: "list-files" }] : []);
}

/** What is offered now; null where nothing is, or where the line is not for that. */
export function paletteOf(state: ConsoleState): CommandPalette | null {
  const { editor, sources, focus, isPaletteClosed, isPaletteAsked, questions } = state;
  if (focus !== "line" || isPaletteClosed) return null;
  if (questions.open[0]?.kind === "input") return null;
  return offer(editor, sources, isPaletteAsked);
}
