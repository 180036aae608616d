// The words of a line as the shell makes them: quotes taken away, braces expanded, values put in that the line gave.
import type { Assignment, Word, WordPart } from "unbash";
import { changedValue, withKnownHost } from "./changed-values.ts";
import { knownText, namingFolder, printsFolder, withFolder } from "./known-output.ts";
import type { LineState } from "./line-state.ts";
import { type LineAssignment, NAME_GLOB, type ShellWord } from "./simple-command.ts";

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
  if (pieces === null) return [openValue(word.value, parts, state)];
  return splitPieces(pieces);
}

const openValue = (text: string, parts: readonly WordPart[], state: LineState): ShellWord =>
  keptValue(parts, state) ?? {
    text: namingFolder(withKnownHost(text, state), state),
    kind: "open",
  };

/** What is known of the value of `$f` or `"$f"`, where it is open. */
function keptValue(parts: readonly WordPart[], state: LineState): ShellWord | null {
  const [part, another] = parts;
  const [inner, more] = part?.type === "DoubleQuoted" ? part.parts : [part];
  const name = inner === undefined || (another ?? more) !== undefined ? null : nameOf(inner);
  const value = name === null ? undefined : state.variables.get(name);
  return value?.isKept === true ? { ...value } : null;
}

/** Where the shell makes exactly one word of it: a value, a target. */
export function readOneWord(
  { value, parts }: Pick<Word, "value" | "parts">,
  state: LineState,
): ShellWord {
  if (parts === undefined || parts.length === 0) return { text: value, kind: "literal" };
  if (parts.some((part) => part.type === "BraceExpansion")) return { text: value, kind: "open" };
  const pieces = readPieces(parts, state);
  if (pieces === null) return openValue(value, parts, state);
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
  if (!isPlain) {
    // `BASH_ALIASES[x]='…'`: what one of them is set to is told, and what `x+=y` adds, of an array nothing.
    const isTold = append === true || index !== undefined;
    const text = value.type === "Word" && isTold ? value.value : "";
    return { name, value: { text, kind: "open" } };
  }
  const word = readOneWord(value, /pwd/i.test(value.text) ? withFolder(state) : state);
  // What a substitution gives is not what stands in the word for it; but no file names are put into a value.
  const isStandIn = word.kind === "glob" && /[$`]/.test(value.text);
  if (isStandIn || word.kind === "open") return { name, value: word };
  return { name, value: { text: word.text, kind: "literal" } };
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
  const known = knownText(part.text, state);
  if (known !== null) return fixed(known);
  if (printsFolder(part.text, state)) return readVariable("PWD", state, around);
  if (part.type === "CommandExpansion" && PRINTS_NAME.test(part.text)) return standIn(around);
  const changed = changedValue(part, state);
  if (changed !== null) return readValue(changed);
  const name = nameOf(part);
  return name === null ? null : readVariable(name, state, around);
}

/** A date, a commit: part of a name, without a slash and no dot at its beginning. */
const PRINTS_NAME =
  /^(?:\$\(|`)\s?(?:date(?: -u)?(?: \+["']?(?:%[YmdHMSsNjFTuwVyIkl]|[\d_:T-])+["']?)|git (?:rev-parse(?: --short(?:=\d+)?)? HEAD(?:[~^]\d*)*|(?:merge-base|rev-list (?:-n ?1|-1|--max-count=1))(?: \w[\w./~^-]{0,80}){1,2}))\s?[)`]$/;

/** The shell's own numbers: the process in the background, a draw; empty where there is none. */
const SHELL_NUMBERS = /^(?:!|RANDOM|SECONDS|PPID|UID|EUID|BASHPID|LINENO)$/;

/** As a whole word it is none, or one that does not begin like an option. */
const standIn = ({ before, next }: Neighbours): Piece => ({
  ...fixed(before === "" && next === undefined ? NAME_GLOB : "*"),
  ...{ isGlob: true, standsForFiles: true },
});

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
  // The number of a process: of a file that is named by it nothing is there yet.
  if (name === "$") return fixed("$$");
  const value = state.variables.get(name);
  if (value === undefined) return readStanding(name, state, around);
  if (value === null || value.kind === "open") return null;
  // Who changes `IFS` changes how values are split.
  if (state.variables.has("IFS")) return null;
  if (value.kind === "glob" && value.text === NAME_GLOB) return standIn(around);
  return readValue(value);
}

function readValue({ text, kind }: ShellWord): Piece {
  const standsForFiles = kind === "glob";
  return { text, isGlob: standsForFiles, standsForFiles, isSplit: !standsForFiles };
}

/** `$HOME/x` is `~/x`, `$PWD/x` is `./x`: the two variables that are known without the line. */
function readStanding(name: string, { folders }: LineState, around: Neighbours): Piece | null {
  if (SHELL_NUMBERS.test(name)) return standIn(around);
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

// Words that bash makes of one word with braces: `a{b,c}`, `{1..3}`.

const MAX_BRACE_WORDS = 64;
const PLAIN = /^[\w./@:%+=,{}~^*?-]*$/;

/** `{a,b}` and `{1..3}` as bash expands them; null for more than plain characters, or too many words. */
function expandShellBraces(text: string): readonly string[] | null {
  return PLAIN.test(text) ? expandPlain(text, MAX_BRACE_WORDS) : null;
}

function expandPlain(text: string, limit: number): readonly string[] | null {
  const group = findGroup(text);
  if (group === null) return [text];
  const choices = readChoices(group.inner);
  if (choices === null) return null;
  const words: string[] = [];
  for (const choice of choices) {
    const expanded = expandPlain(`${group.before}${choice}${group.after}`, limit);
    if (expanded === null || words.length + expanded.length > limit) return null;
    words.push(...expanded);
  }
  return words;
}

interface Group {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
}

/** The first group that has a comma or a range; others are plain text. */
function findGroup(text: string): Group | null {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    const end = findEnd(text, start);
    if (end === null) continue;
    const inner = text.slice(start + 1, end);
    if (splitTopLevel(inner).length > 1 || isRange(inner))
      return { before: text.slice(0, start), inner, after: text.slice(end + 1) };
  }
  return null;
}

function findEnd(text: string, start: number): number | null {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "{") depth++;
    if (text[index] === "}" && --depth === 0) return index;
  }
  return null;
}

function splitTopLevel(inner: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of inner) {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts;
}

const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})$/;
const isRange = (inner: string): boolean => /^[^,{}]+\.\.[^,{}]+$/.test(inner);

function readChoices(inner: string): readonly string[] | null {
  if (!isRange(inner)) return splitTopLevel(inner);
  const match = NUMBERS.exec(inner);
  const from = Number(match?.[1]);
  const to = Number(match?.[2]);
  if (match === null || Math.abs(from - to) >= MAX_BRACE_WORDS || /^-?0\d/.test(inner)) return null;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(from - to) + 1 }, (_, index) => String(from + index * step));
}
