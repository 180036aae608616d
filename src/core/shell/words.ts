// The words of a line as the shell makes them: quotes taken away, braces expanded, values put in that the line gave.
import type { Assignment, Word, WordPart } from "unbash";
import { expandShellBraces } from "./braces.ts";
import type { LineState } from "./line-state.ts";
import type { LineAssignment, ShellWord } from "./simple-command.ts";

/** Where the words stand that are all a place of the line makes: what is no part of the analysis itself. */
const SPANS = new WeakMap<ShellWord, readonly [number, number]>();

/** The place of a word in the text that was parsed, quotes included; null where it shares it with others. */
export const spanOf = (word: ShellWord): readonly [number, number] | null =>
  SPANS.get(word) ?? null;

/** More than one where braces are expanded or a value is split, none where an empty value is. */
export function readWords(word: Word, state: LineState): readonly ShellWord[] {
  const words = expandWord(word, state);
  const [only, another] = words;
  if (only !== undefined && another === undefined) SPANS.set(only, [word.pos, word.end]);
  return words;
}

function expandWord(word: Word, state: LineState): readonly ShellWord[] {
  const parts = word.parts ?? [];
  if (parts.length === 0) return [{ text: word.value, kind: "literal" }];
  if (parts.some((part) => part.type === "BraceExpansion")) return readBraces(word);
  const pieces = readPieces(parts, state);
  if (pieces === null) return [{ text: word.value, kind: "open" }];
  return splitPieces(pieces);
}

/** Where the shell makes exactly one word of it: a value, a target. */
export function readOneWord(
  { value, parts }: Pick<Word, "value" | "parts">,
  state: LineState,
): ShellWord {
  if (parts === undefined || parts.length === 0) return { text: value, kind: "literal" };
  if (parts.some((part) => part.type === "BraceExpansion")) return { text: value, kind: "open" };
  const pieces = readPieces(parts, state);
  if (pieces === null) return { text: value, kind: "open" };
  const text = pieces.map((piece) => piece.text).join("");
  return { text, kind: pieces.some(({ isGlob }) => isGlob) ? "glob" : "literal" };
}

/** The file of a redirection. */
export function readTarget(word: Word, state: LineState): ShellWord {
  const target = readOneWord(word, state);
  SPANS.set(target, [word.pos, word.end]);
  return target;
}

export function readAssignment(
  { name, value, append, index }: Assignment,
  state: LineState,
): LineAssignment {
  const isPlain = value.type === "Word" && append !== true && index === undefined;
  if (!isPlain) return { name, value: { text: "", kind: "open" } };
  const { text, kind } = readOneWord(value, state);
  // No file names are put into a value.
  return { name, value: { text, kind: kind === "open" ? "open" : "literal" } };
}

function readBraces(word: Word): readonly ShellWord[] {
  const expanded = expandShellBraces(word.text);
  if (expanded === null) return [{ text: word.value, kind: "open" }];
  return expanded.map((text) => ({ text, kind: GLOB.test(text) ? "glob" : "literal" }));
}

const GLOB = /[*?[]/;

interface Piece {
  readonly text: string;
  readonly isGlob: boolean;
  /** The value of a loop over `*`, quoted or not. */
  readonly standsForFiles: boolean;
  /** An unquoted value: the shell splits it at spaces. */
  readonly isSplit: boolean;
}

interface Neighbours {
  readonly before: string;
  readonly next: string | undefined;
}

const ALONE: Neighbours = { before: "", next: undefined };

/** Null where a part is only known when the line runs. */
function readPieces(
  parts: readonly WordPart[],
  state: LineState,
  around: Neighbours = ALONE,
): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let { before } = around;
  for (const [index, part] of parts.entries()) {
    const next = index + 1 < parts.length ? parts[index + 1]?.text : around.next;
    const piece = readPart(part, state, { before, next });
    if (piece === null) return null;
    pieces.push(piece);
    before = piece.text;
  }
  return pieces;
}

function readPart(part: WordPart, state: LineState, around: Neighbours): Piece | null {
  if (part.type === "Glob" || part.type === "ExtendedGlob")
    return { ...fixed(part.text), isGlob: true };
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted")
    return fixed(part.value);
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
    const inner = readPieces(part.parts, state, around);
    if (inner === null) return null;
    const standsForFiles = inner.some((piece) => piece.standsForFiles);
    const text = inner.map((piece) => piece.text).join("");
    return { ...fixed(text), isGlob: standsForFiles, standsForFiles };
  }
  const name = nameOf(part);
  return name === null ? null : readVariable(name, state, around);
}

const fixed = (text: string): Piece => ({
  text,
  isGlob: false,
  standsForFiles: false,
  isSplit: false,
});

/** The variable of `$x` and of a `${x}` that nothing is done to. */
function nameOf(part: WordPart): string | null {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return null;
  const { operation, index, prefix, parameter } = part;
  return operation === undefined && index === undefined && prefix === undefined ? parameter : null;
}

function readVariable(name: string, state: LineState, around: Neighbours): Piece | null {
  const value = state.variables.get(name);
  if (value === undefined) return readStanding(name, state, around);
  if (value === null || value.kind === "open") return null;
  // Who changes `IFS` changes how values are split.
  if (state.variables.has("IFS")) return null;
  const standsForFiles = value.kind === "glob";
  return { text: value.text, isGlob: standsForFiles, standsForFiles, isSplit: !standsForFiles };
}

/** `$HOME/x` is `~/x`, `$PWD/x` is `./x`: the two variables that are known without the line. */
function readStanding(name: string, { folders }: LineState, around: Neighbours): Piece | null {
  const isFolder = around.next === undefined || around.next.startsWith("/");
  const isStart = around.before === "" || /[=:@]$/.test(around.before);
  if (!isFolder || !isStart) return null;
  if (name === "HOME") return fixed("~");
  return name === "PWD" && folders.length === 1 && folders[0] !== null ? fixed(".") : null;
}

interface Draft {
  readonly text: string;
  readonly isGlob: boolean;
}

function splitPieces(pieces: readonly Piece[]): readonly ShellWord[] {
  const words: (Draft | null)[] = [null];
  for (const { text, isGlob, isSplit } of pieces)
    for (const [index, part] of (isSplit ? text.split(/[ \t\n]+/) : [text]).entries()) {
      if (index > 0) words.push(null);
      // An unquoted value that is empty makes no word.
      if (isSplit && part === "") continue;
      const before = words.pop() ?? null;
      const isPattern = isGlob || (isSplit && GLOB.test(part)) || before?.isGlob === true;
      words.push({ text: `${before?.text ?? ""}${part}`, isGlob: isPattern });
    }
  return words.flatMap((word): ShellWord[] =>
    word === null ? [] : [{ text: word.text, kind: word.isGlob ? "glob" : "literal" }],
  );
}
