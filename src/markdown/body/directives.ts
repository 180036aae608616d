// What an `@` or a `!` in the text begins: an import, an inline command, or nothing.
import type { FileImport, ImportPart, InlineCommand, UrlImport } from "./body.ts";
import type { CodeSpan } from "./code.ts";
import type { Wrong } from "./liquid.ts";

type DirectiveLocation = "written" | "where" | "isConditional";
type DirectiveCore =
  | Omit<FileImport, DirectiveLocation>
  | Omit<UrlImport, DirectiveLocation>
  | Omit<InlineCommand, DirectiveLocation>;

export type DirectiveReading =
  | { readonly kind: "found"; readonly core: DirectiveCore; readonly end: number }
  | Wrong;

/** Null where this `@` begins no import. */
export function readImport(text: string, at: number): DirectiveReading | null {
  const found = readImportText(text, at);
  if (found === null) return null;
  const wrong = (problem: string, hint: string): Wrong => ({
    kind: "wrong",
    offset: at,
    problem: `\`@${found.raw}\` ${problem}`,
    hint,
  });
  if (text.startsWith("{{", found.end))
    return wrong(
      "is followed by `{{`: no variable may choose what is imported",
      "choose between imports with `{% if %}`, or put a blank between them",
    );
  const target = parseImport(found.raw);
  if (target.kind === "wrong") return wrong(target.problem, target.hint);
  return { kind: "found", core: target, end: found.end };
}

/** Null where this `!` begins no inline command. */
export function readInlineCommand(
  text: string,
  at: number,
  findSpan: (at: number) => CodeSpan | null,
): DirectiveReading | null {
  const span = text.charAt(at + 1) === "`" ? findSpan(at + 1) : null;
  if (span === null) return null;
  const command = text.slice(at + 1 + span.ticks, span.close).trim();
  if (command === "")
    return {
      kind: "wrong",
      offset: at,
      problem: "an inline command is empty",
      hint: "write it as !`command`, or `\\!` for the characters themselves",
    };
  return { kind: "found", core: { kind: "command", command }, end: span.close + span.ticks };
}

// Prose has many an `@`: only paths and addresses are imports.
const OPENING = /@(?=\.\.?\/|~\/|\/|https?:\/\/)/y;
const STOP = /[\s"'`<>|]/;
const GLOB = /(?<!\\)(?:\\\\)*[*?[{]/;
const RANGE = /^(?<path>.*):(?<from>\d+)(?<rest>-(?<to>\d*))?$/s;

interface ImportText {
  /** After the `@`, without punctuation that belongs to the sentence. */
  readonly raw: string;
  readonly end: number;
}

function readImportText(text: string, at: number): ImportText | null {
  OPENING.lastIndex = at;
  if (!OPENING.test(text)) return null;
  const stop = findStop(text, at + 1);
  // What a variable would complete is reported by whoever reads on.
  if (text.startsWith("{{", stop)) return { raw: text.slice(at + 1, stop), end: stop };
  const raw = dropPunctuation(text.slice(at + 1, stop));
  return /^(?:\.\.?|~)?\/$|^https?:\/\/?$/.test(raw) ? null : { raw, end: at + 1 + raw.length };
}

function findStop(text: string, begin: number): number {
  let at = begin;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "\\" && /[^\n\r]/.test(text.charAt(at + 1))) at += 2;
    else if (STOP.test(char) || text.startsWith("{{", at) || text.startsWith("{%", at)) return at;
    else at += 1;
  }
  return text.length;
}

const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** `(see @./a.md).` imports `a.md`; a bracket that was opened within the path belongs to it. */
function dropPunctuation(raw: string): string {
  let end = raw.length;
  while (end > 0 && isPunctuation(raw, end - 1)) end -= 1;
  return raw.slice(0, end);
}

function isPunctuation(raw: string, at: number): boolean {
  const char = raw.charAt(at);
  if (isEscaped(raw, at)) return false;
  if (/[.,;:!?]/.test(char)) return true;
  const opener = CLOSERS[char];
  return opener !== undefined && count(raw, opener, at) < count(raw, char, at + 1);
}

function count(text: string, char: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf(char); at >= 0 && at < end; at = text.indexOf(char, at + 1))
    found += 1;
  return found;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

type ImportTarget =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly isGlob: boolean;
      readonly part: ImportPart;
    }
  | { readonly kind: "url"; readonly url: string; readonly part: ImportPart }
  /** With what to do about it. */
  | { readonly kind: "wrong"; readonly problem: string; readonly hint: string };

/** Takes an import's text apart: the path or address, and which part of it is wanted. */
function parseImport(raw: string): ImportTarget {
  const { before, name } = splitSection(raw);
  if (name === "") return wrong("names no section after `#`", "give a heading, or remove the `#`");
  const section: ImportPart = name === null ? WHOLE : { kind: "section", name };
  if (/^https?:/.test(before)) return parseAddress(before, section);
  const range = RANGE.exec(before)?.groups;
  const path = range?.path ?? before;
  const lines = range === undefined ? null : readLines(range);
  if (lines !== null && name !== null)
    return wrong("has lines and a section", "give the one or the other");
  if (lines !== null && lines.kind === "wrong") return lines;
  const isGlob = GLOB.test(path);
  const part = lines ?? section;
  if (isGlob && part.kind !== "whole")
    return wrong(
      "asks for a part of many files",
      "import one file by its path, or all of them whole",
    );
  return { kind: "file", path, isGlob, part };
}

const WHOLE: ImportPart = { kind: "whole" };

const wrong = (problem: string, hint: string) => ({ kind: "wrong", problem, hint }) as const;

function splitSection(raw: string): { before: string; name: string | null } {
  const at = /(?<!\\)(?:\\\\)*#/.exec(raw);
  if (at === null) return { before: raw, name: null };
  const hash = at.index + at[0].length - 1;
  return { before: raw.slice(0, hash), name: unescapePath(raw.slice(hash + 1)) };
}

function readLines({ from, rest, to }: { [name: string]: string | undefined }) {
  const first = Number(from);
  const last = rest === undefined ? first : to === "" || to === undefined ? null : Number(to);
  if (first < 1) return wrong("begins at line 0", "lines are counted from 1");
  if (last !== null && last < first)
    return wrong(`ends at line ${last}, before it begins`, `write it as \`:${last}-${first}\``);
  return { kind: "lines", from: first, to: last } as const;
}

function parseAddress(text: string, part: ImportPart): ImportTarget {
  const url = URL.parse(unescapePath(text));
  if (url === null) return wrong("is not an address", "write it as `@https://host/path`");
  if (url.username !== "" || url.password !== "")
    return wrong("contains a password", "import from an address that needs none");
  return { kind: "url", url: url.href, part };
}

/** A backslash takes away the meaning of what follows. */
export const unescapePath = (path: string): string => path.replaceAll(/\\(.)/gsu, "$1");
