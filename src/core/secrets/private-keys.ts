// Private keys: the lines between those that begin and end a block, as far as they go where the key was cut off. What stands
// behind such a key may name another secret: its lines are told from the key's.
import { BYTE_CLASSES, type ByteClass, DIGIT, KEY_BODY, UPPER } from "./byte-classes.ts";
import type { FormMatch, SecretForm, SecretSpan } from "./scan.ts";
import { ScannedText } from "./scanned-text.ts";

const LINE_FEED = 10;
const RETURN = 13;
const DASH = 45;
const BACKSLASH = 92;
const MAX_LABEL = 80;
const MAX_DASHES = 5;

/** From the line that begins a private key to the one that ends it. */
function matchBlock(text: ScannedText, begin: number, wordEnd: number): FormMatch {
  const labelEnd = endOfLabel(text, wordEnd);
  if (text.isCutOff(labelEnd)) return "open";
  if (!text.slice(wordEnd, labelEnd).includes("PRIVATE KEY")) return null;
  const bodyBegin = skipDashes(text, labelEnd);
  if (text.isCutOff(bodyBegin + 2)) return "open";
  if (!isLineBreak(text, bodyBegin)) return null;
  const runEnd = text.runEnd(bodyBegin, KEY_BODY);
  const closing = findClosing(text, bodyBegin, runEnd);
  if (closing === -1 ? text.isCutOff(runEnd) : isUndecided(text, closing)) return "open";
  if (closing !== -1) return { begin, end: closing, tail: null, isSure: true };
  return { begin, end: endOfBody(text, begin, runEnd), tail: KEY_BODY, isSure: true };
}

/** Behind the line that ends a key; -1 where there is none. Key after key is one run, which is not read anew for each. */
function findClosing(text: ScannedText, from: number, runEnd: number): number {
  for (
    let at = text.find("END ", from, runEnd);
    at !== -1;
    at = text.find("END ", at + 1, runEnd)
  ) {
    const label = text.slice(at, Math.min(runEnd, at + 2 * MAX_LABEL));
    if (
      /-{4} ?$/.test(text.slice(Math.max(from, at - 5), at)) &&
      /^END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-{4}/.test(label)
    )
      return skipDashes(text, endOfLabel(text, at));
  }
  return -1;
}

function endOfLabel(text: ScannedText, from: number): number {
  let at = from;
  while (at - from < MAX_LABEL && (text.is(at, UPPER | DIGIT) || text.at(at) === 32)) at += 1;
  text.steps += at - from + 1;
  return at;
}

function skipDashes(text: ScannedText, from: number): number {
  let at = from;
  while (at - from < MAX_DASHES && text.at(at) === DASH) at += 1;
  return at;
}

/** More dashes may come. */
const isUndecided = (text: ScannedText, closing: number): boolean =>
  text.isCutOff(closing) && !text.startsWith("-".repeat(MAX_DASHES), closing - MAX_DASHES);

const isLineBreak = (text: ScannedText, at: number): boolean =>
  [LINE_FEED, RETURN, BACKSLASH].includes(text.at(at));

/** The lines of a PuTTY key after `Private-Lines: 14`. */
function matchPuttyKey(text: ScannedText, begin: number, wordEnd: number): FormMatch {
  const digits = text.runEnd(text.skipBlanks(wordEnd), DIGIT);
  if (text.isCutOff(digits + 2)) return "open";
  if (!isLineBreak(text, digits)) return null;
  const runEnd = text.runEnd(digits, KEY_BODY);
  const closing = text.find("Private-", digits, runEnd);
  if (closing === -1 && text.isCutOff(runEnd)) return "open";
  const end = closing === -1 ? endOfBody(text, digits, runEnd) : trimEnd(text, closing);
  const bodyBegin = digits + (text.at(digits) === BACKSLASH ? 2 : 1);
  return bodyBegin >= end || begin < 0
    ? null
    : { begin: bodyBegin, end, tail: KEY_BODY, isSure: true };
}

function trimEnd(text: ScannedText, end: number): number {
  let at = end;
  while (text.at(at - 1) <= 32) at -= 1;
  return at;
}

/**
 * Where a key ends that nothing closes: where the text does, else with the last line of its kind, for the line that goes on
 * behind the run may name what comes next.
 */
const endOfBody = (text: ScannedText, from: number, runEnd: number): number =>
  runEnd < text.bytes.length ? lastKeyLine(text, from, runEnd) : trimEnd(text, runEnd);

/** The end of the last line of a key's body that goes on at `from`; `from` where there is none. */
function lastKeyLine(text: ScannedText, from: number, runEnd: number): number {
  // The last line of a key may be short, and is known by the one before it.
  let short = from;
  for (let end = runEnd; end > from; ) {
    const begin = lineBegin(text, from, end);
    const line = text.slice(begin, Math.min(end, begin + MAX_LINE));
    if (endsInLongWord(line) || line.includes("PRIVATE KEY"))
      return Math.max(short, trimEnd(text, end));
    if (line.trim() !== "") short = isShortLine(line) ? trimEnd(text, end) : from;
    end = begin === end ? end - 1 : breakBegin(text, begin);
  }
  return short;
}

const MAX_LINE = 4096;

/** Behind the line break before there, which JSON writes as two characters. */
function lineBegin(text: ScannedText, from: number, end: number): number {
  let at = end;
  while (at > from && !isBreakEnd(text, at)) at -= 1;
  text.steps += end - at + 1;
  return at;
}

function isBreakEnd(text: ScannedText, at: number): boolean {
  const before = text.at(at - 1);
  if (before === LINE_FEED || before === RETURN) return true;
  return text.at(at - 2) === BACKSLASH && (before === 110 || before === 114);
}

const breakBegin = (text: ScannedText, at: number): number =>
  at - (text.at(at - 1) === LINE_FEED || text.at(at - 1) === RETURN ? 1 : 2);

const endsInLongWord = (line: string): boolean => /[A-Za-z0-9+/]{24}={0,2}[\\ \t\r]*$/.test(line);

/** Base64 alone, behind what a diff, a list or a count puts before a line; no name, whose value comes next. */
function isShortLine(line: string): boolean {
  const at = line.search(LAST_BASE64);
  if (at === -1 || /[A-Za-z]/.test(line.slice(0, at))) return false;
  return !SAYS_SECRET.test(LAST_WORD.exec(line)?.[0] ?? "");
}

const LAST_BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]+={0,2}[\\ \t\r]*$/;
const LAST_WORD = /(?<![a-z0-9])[a-z0-9]+=?[\\ \t\r]*$/i;
const SAYS_SECRET = /token|secret|pass|pwd|credential|key|auth/i;

interface Skipped {
  readonly end: number;
  /** What comes behind belongs to the key no more. */
  readonly isOver: boolean;
}

/** So much of what may be no line of the key waits for what comes behind it. */
const MAX_UNDECIDED = 4096;

/** How far the body of a key goes that goes on from there: it is longer than what is held of it. */
function skipKeyBody(bytes: Uint8Array, from: number, isWhole: boolean): Skipped {
  const text = new ScannedText(bytes, isWhole);
  const runEnd = text.runEnd(from, KEY_BODY);
  const closing = findClosing(text, from, runEnd);
  if (closing !== -1 && !isUndecided(text, closing)) return { end: closing, isOver: true };
  if (!text.isCutOff(runEnd)) return { end: endOfBody(text, from, runEnd), isOver: true };
  const lastBegin = lineBegin(text, from, runEnd);
  const end = lastKeyLine(text, from, lastBegin);
  if (runEnd - end <= MAX_UNDECIDED) return { end, isOver: false };
  return { end: runEnd - lastBegin > MAX_UNDECIDED ? runEnd : lastBegin, isOver: false };
}

/** How far a secret goes on from there whose beginning was too long to hold. */
export function skipSecret(
  bytes: Uint8Array,
  from: number,
  tail: ByteClass,
  isWhole: boolean,
): Skipped {
  if (tail === KEY_BODY) return skipKeyBody(bytes, from, isWhole);
  let end = from;
  while (end < bytes.length && ((BYTE_CLASSES[bytes[end] ?? 0] ?? 0) & tail) !== 0) end += 1;
  return { end, isOver: end < bytes.length };
}

/** Of a secret that goes on behind the last byte the part that is decided; null where it does not go on. */
export function cutSecret(bytes: Uint8Array, span: SecretSpan): SecretSpan | null {
  if (span.tail === null) return null;
  if (span.tail !== KEY_BODY) return span.end === bytes.length ? span : null;
  const { end, isOver } = skipKeyBody(bytes, span.begin, false);
  return isOver ? null : { ...span, end };
}

export const createKeyForms = (): SecretForm[] => [
  { mark: [..."-----BEGIN "], match: matchBlock },
  { mark: [..."---- BEGIN "], match: matchBlock },
  { mark: [..."Private-Lines:"], match: matchPuttyKey },
];
