// The text that is being typed: pure, a key in and the next text out.

export interface Editor {
  readonly text: string;
  /** A place in the text, between two characters as a person counts them. */
  readonly cursor: number;
  /** What was sent before, oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown; null for what is typed now. */
  readonly at: number | null;
  /** What was typed before the history was opened. */
  readonly draft: string;
}

export interface KeyPress {
  readonly name:
    | "text"
    | "return"
    | "tab"
    | "escape"
    | "up"
    | "down"
    | "left"
    | "right"
    | "home"
    | "end"
    | "backspace"
    | "delete";
  /** The characters of `text`, and the letter of a control key. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

const MAX_HISTORY = 500;

export const createEditor = (history: readonly string[] = []): Editor => ({
  text: "",
  cursor: 0,
  history: history.slice(-MAX_HISTORY),
  at: null,
  draft: "",
});

export const withText = (editor: Editor, text: string, cursor = text.length): Editor => ({
  ...editor,
  text,
  cursor,
});

export function insertText(editor: Editor, given: string): Editor {
  const added = given.replaceAll(/\r\n?/g, "\n");
  const { text, cursor } = editor;
  const next = text.slice(0, cursor) + added + text.slice(cursor);
  return { ...withText(editor, next, cursor + added.length), at: null };
}

/** Sent or run: it is gone from the line and stands in the history, once. */
export function takeText(editor: Editor): Editor {
  const { text, history } = editor;
  const isNew = text.trim() !== "" && history.at(-1) !== text;
  return createEditor(isNew ? [...history, text] : history);
}

/** Null for a key that the line has no use for. */
export function editByKey(editor: Editor, key: KeyPress): Editor | null {
  if (key.ctrl) return editByControl(editor, key.text);
  switch (key.name) {
    case "text":
      return key.meta ? null : insertText(editor, key.text);
    case "return":
      return key.meta ? insertText(editor, "\n") : null;
    case "left":
      return withText(editor, editor.text, before(editor));
    case "right":
      return withText(editor, editor.text, after(editor));
    case "home":
      return withText(editor, editor.text, lineStart(editor));
    case "end":
      return withText(editor, editor.text, lineEnd(editor));
    case "backspace":
      return cut(editor, before(editor), editor.cursor);
    case "delete":
      return cut(editor, editor.cursor, after(editor));
    case "up":
      return moveUp(editor);
    case "down":
      return moveDown(editor);
    default:
      return null;
  }
}

function editByControl(editor: Editor, letter: string): Editor | null {
  switch (letter) {
    case "a":
      return withText(editor, editor.text, lineStart(editor));
    case "e":
      return withText(editor, editor.text, lineEnd(editor));
    case "j":
      return insertText(editor, "\n");
    case "k":
      return cut(editor, editor.cursor, lineEnd(editor));
    case "u":
      return cut(editor, lineStart(editor), editor.cursor);
    case "w":
      return cut(editor, wordStart(editor), editor.cursor);
    default:
      return null;
  }
}

function cut(editor: Editor, from: number, to: number): Editor {
  const text = editor.text.slice(0, from) + editor.text.slice(to);
  return { ...withText(editor, text, from), at: null };
}

let segmenter: Intl.Segmenter | null = null;

function before({ text, cursor }: Editor): number {
  segmenter ??= new Intl.Segmenter();
  const last = [...segmenter.segment(text.slice(0, cursor))].at(-1);
  return last?.index ?? 0;
}

function after({ text, cursor }: Editor): number {
  segmenter ??= new Intl.Segmenter();
  const [first] = segmenter.segment(text.slice(cursor));
  return cursor + (first?.segment.length ?? 0);
}

const lineStart = ({ text, cursor }: Editor): number =>
  cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

const wordStart = ({ text, cursor }: Editor): number => text.slice(0, cursor).search(/\S*\s*$/);

/** Within a text of several lines first, then into what was sent before. */
function moveUp(editor: Editor): Editor {
  const start = lineStart(editor);
  if (start > 0) {
    const column = editor.cursor - start;
    const above = lineStart({ ...editor, cursor: start - 1 });
    return withText(editor, editor.text, Math.min(above + column, start - 1));
  }
  const { history, at, text, draft } = editor;
  const next = (at ?? history.length) - 1;
  const earlier = history[next];
  if (earlier === undefined) return editor;
  return { ...withText(editor, earlier), at: next, draft: at === null ? text : draft };
}

function moveDown(editor: Editor): Editor {
  const end = lineEnd(editor);
  if (end < editor.text.length) {
    const column = editor.cursor - lineStart(editor);
    const next = { ...editor, cursor: end + 1 };
    return withText(editor, editor.text, Math.min(end + 1 + column, lineEnd(next)));
  }
  const { history, at, draft } = editor;
  if (at === null) return editor;
  const later = history[at + 1];
  if (later === undefined) return { ...withText(editor, draft), at: null };
  return { ...withText(editor, later), at: at + 1 };
}
