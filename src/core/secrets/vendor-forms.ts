// The lines of the vendors' table as forms that the scanner looks for.

import { findBoundary } from "./boundary.ts";
import * as is from "./byte-classes.ts";
import type { FormMatch, SecretForm } from "./scan.ts";
import type { ScannedText } from "./scanned-text.ts";
import { VENDOR_TABLE } from "./vendor-table.ts";

const ALPHABETS: Readonly<Record<string, is.ByteClass>> = {
  d: is.DIGIT,
  h: is.HEX,
  n: is.ALNUM,
  u: is.URL64,
  b: is.BASE64,
  w: is.DOTTED,
  A: is.UPPER | is.DIGIT,
  e: is.QUERY64,
};

interface Run {
  readonly alphabet: is.ByteClass;
  readonly min: number;
  readonly max: number;
}

type Piece = Run | string;

export interface VendorRow {
  readonly vendor: string;
  readonly what: string;
  readonly mark: readonly string[];
  readonly body: readonly Piece[];
  /** What must stand before the mark; it belongs to the secret. */
  readonly before: Run | null;
  readonly needs: ReadonlySet<string>;
  readonly source: string;
}

export const readVendorRows = (): VendorRow[] =>
  VENDOR_TABLE.flatMap((table) => table.trim().split("\n").flatMap(readRows));

function readRows(line: string): VendorRow[] {
  const [vendor = "", what = "", mark = "", body = "", demands = "", source = ""] = line
    .split(";")
    .map((cell) => cell.trim());
  const words = demands.split(" ").filter((word) => word !== "");
  const before = words.find((word) => word.startsWith("<"));
  return spellMarks(mark).map((spelt) => ({
    vendor,
    what,
    mark: readMark(spelt),
    body: body.split(" ").map(readPiece),
    before: before === undefined ? null : readRun(before.slice(1)),
    needs: new Set(words.filter((word) => word !== before)),
    source,
  }));
}

/** `s(a|b)_` as `sa_` and `sb_`. */
function spellMarks(mark: string): string[] {
  const [, head = "", choices, tail = ""] = /^([^(]*)\(([^)]*)\)(.*)$/.exec(mark) ?? [];
  return choices === undefined ? [mark] : choices.split("|").map((one) => head + one + tail);
}

/** `gh[po]_` as the characters of each place; `[a-z]` is a range. */
function readMark(mark: string): string[] {
  return [...mark.matchAll(/\[([^\]]+)\]|(.)/g)].map(([, set, char = ""]) =>
    set === undefined ? char : set.replace(/(.)-(.)/g, (_, first, last) => between(first, last)),
  );
}

const between = (first: string, last: string): string =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(first.charCodeAt(0) + index),
  ).join("");

const readPiece = (word: string): Piece => readRun(word) ?? word;

function readRun(word: string): Run | null {
  const [, letter = "", min = "", rest = ""] = /^([dhnubwAe])(\d+)(\+|-\d+)?$/.exec(word) ?? [];
  const alphabet = ALPHABETS[letter];
  if (alphabet === undefined) return null;
  const max = rest === "+" ? Number.POSITIVE_INFINITY : Number(rest.slice(1) || min);
  return { alphabet, min: Number(min), max };
}

export const createVendorForms = (): SecretForm[] =>
  readVendorRows().map((row) => ({
    mark: row.mark,
    reach: row.before?.max ?? 0,
    match: (text, begin, end) => matchRow(row, text, begin, end),
  }));

function matchRow(
  row: VendorRow,
  text: ScannedText,
  markBegin: number,
  markEnd: number,
): FormMatch {
  const begin = findBegin(row, text, markBegin);
  if (begin === null) return null;
  const end = matchBody(row.body, text, markEnd);
  if (end === "open") return end;
  if (end === null || !isFilled(row.needs, text, markEnd, end))
    return findBarren(row, text, markEnd);
  const last = row.body.at(-1);
  const tail =
    typeof last === "object" && last.max === Number.POSITIVE_INFINITY ? last.alphabet : null;
  return { begin: row.needs.has("after") ? markEnd : begin, end, tail, isSure: true };
}

/** Where the first part is of any length, whoever begins later in the same run ends in the same way. */
function findBarren(row: VendorRow, text: ScannedText, markEnd: number): FormMatch {
  const [first] = row.body;
  const isOpen = typeof first === "object" && first.max === Number.POSITIVE_INFINITY;
  return isOpen && row.before === null
    ? text.runEnd(markEnd, first.alphabet) - row.mark.length
    : null;
}

/** Where the secret begins; null where what stands before the mark says that it is none. */
function findBegin({ before, needs }: VendorRow, text: ScannedText, mark: number): number | null {
  if (before === null)
    return needs.has("after") || findBoundary(text, mark, needs.has("apart")) ? mark : null;
  const begin = text.runBegin(mark, before.alphabet, before.max + 1);
  const length = mark - begin;
  // What output wraps around a text may look like more of it: the `m` of a colour, the `3D` of a URL.
  if (length > before.max) return findBoundary(text, mark - before.max) ? mark - before.max : null;
  return length >= before.min ? begin : null;
}

function matchBody(
  body: readonly Piece[],
  text: ScannedText,
  from: number,
): number | "open" | null {
  let at = from;
  for (const piece of body) {
    if (typeof piece === "string") {
      if (!text.startsWith(piece, at)) return text.isCutOff(at + piece.length - 1) ? "open" : null;
      at += piece.length;
      continue;
    }
    const end = text.runEnd(at, piece.alphabet);
    if (end - at > piece.max) return null;
    if (text.isCutOff(end)) return "open";
    if (end - at < piece.min) return null;
    at = end;
  }
  return findLastByte(body.at(-1), text, at);
}

const EQUALS = 61;
const DOT = 46;

/** Padding belongs to base64; the dot of a sentence does not belong to a token. */
function findLastByte(last: Piece | undefined, text: ScannedText, at: number): number {
  if (typeof last !== "object") return at;
  let end = at;
  if (last.alphabet === is.BASE64) while (end - at < 3 && text.at(end) === EQUALS) end += 1;
  if (last.alphabet === is.DOTTED) while (text.at(end - 1) === DOT) end -= 1;
  return end;
}

const LONG_PART = 16;

function isFilled(
  needs: ReadonlySet<string>,
  text: ScannedText,
  begin: number,
  end: number,
): boolean {
  if (needs.has("digit")) return text.next(begin, is.DIGIT) < end;
  if (!needs.has("mixed")) return true;
  return text.nextRun(begin, is.ALNUM, LONG_PART, is.DIGIT | is.UPPER) + LONG_PART <= end;
}
