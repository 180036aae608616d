// Values beside a name that says secret: `DB_PASSWORD=…`, `"api_key": "…"`, `x-auth-token: …`, `--token …`. The only place
// where a value without any mark of its own, such as bare hex, is taken for a secret.
import { findBoundary } from "./boundary.ts";
import { ALNUM, BARE, BLANK, DIGIT, LOWER, UPPER, URL64 } from "./byte-classes.ts";
import type { FormMatch, SecretForm } from "./scan.ts";
import type { ScannedText } from "./scanned-text.ts";
import {
  digitsOf,
  endsWithWord,
  foldWord,
  isReference,
  isTypeName,
  isWordAt,
  lettersOf,
  lookAtValue,
  looksDrawn,
  signsOf,
  UUID_LENGTH,
  type ValueLook,
} from "./value-looks.ts";

const WORDS = [
  "token",
  "secret",
  "passw",
  "passphrase",
  "pwd",
  "credential",
  "key",
  "_auth",
  "_pass",
];

const inAnyCase = (word: string): string[] =>
  [...word].map((char) =>
    char.toLowerCase() === char.toUpperCase() ? char : char.toLowerCase() + char.toUpperCase(),
  );

export const createNamedForms = (): SecretForm[] =>
  WORDS.map((word) => ({
    mark: inAnyCase(word),
    match: (text, begin, end) => matchNamed(word, text, begin, end),
  }));

const MAX_NAME = 64;
const MAX_BLANKS = 8;
const MAX_VALUE = 4096;
const MAX_LOOK = 64;

function matchNamed(
  word: string,
  text: ScannedText,
  wordBegin: number,
  wordEnd: number,
): FormMatch {
  // A key is secret by the word before it, and JSON is full of keys without one.
  if (word === "key" && !text.is(wordBegin - 1, URL64)) return null;
  const nameEnd = text.runEnd(wordEnd, URL64);
  // In a run that is longer than a name no word counts but near its end: those before need not look for it again.
  if (nameEnd - wordEnd > MAX_NAME) return nameEnd - MAX_NAME - word.length;
  if (word === "_auth" && nameEnd > wordEnd) return null;
  const value = findValue(text, nameEnd);
  if (value === "open" || value === null) return value;
  if (value.end - value.begin < MIN_CHOSEN || isPlainWord(word, text, value)) return null;
  // The beginning of a long value says enough of it; a chain of `token=token=…` must not be read once for each name.
  const lookEnd = Math.min(value.end, value.begin + MAX_LOOK);
  if (isReference(text, value.begin, lookEnd)) return null;
  const name = describeName(text, wordBegin, nameEnd, word);
  const look = lookAtValue(text, value.begin, lookEnd);
  const isSure = name.isSecret && looksDrawn(text, value.begin, lookEnd, look);
  if (!isSure && !looksChosen(text, name, value, look)) return null;
  return { begin: value.begin, end: value.end, tail: null, isSure };
}

const isPasswordWord = (word: string): boolean =>
  word.startsWith("pass") || word === "pwd" || word === "_pass";

/** What most values are, and what neither a machine draws nor a person takes, but for a password: nothing with a digit. */
function isPlainWord(word: string, text: ScannedText, { begin, end }: Value): boolean {
  if (isPasswordWord(word) || end - begin === UUID_LENGTH) return false;
  const last = Math.min(end, begin + MAX_LOOK);
  let at = begin;
  while (at < last && !text.is(at, DIGIT)) at += 1;
  text.steps += at - begin + 1;
  return at === last;
}

/** Where a run ends, looked at for so many bytes only. */
function endOf(text: ScannedText, from: number, byteClass: number, most: number): number {
  let at = from;
  while (at - from < most && text.is(at, byteClass)) at += 1;
  text.steps += at - from + 1;
  return at;
}

interface Value {
  readonly begin: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** `NAME=value`, without anything between. */
  readonly isTight: boolean;
}

const BACKSLASH = 92;
const EQUALS = 61;
const COLON = 58;
const ANGLE = 62;

const isQuote = (byte: number): boolean => byte === 34 || byte === 39 || byte === 96;

/** Skips `"`, `\"`, `\\"`: the quote, in however many strings it stands. */
function skipQuote(text: ScannedText, from: number): number {
  let at = from;
  while (text.at(at) === BACKSLASH && at - from < 7) at += 1;
  return isQuote(text.at(at)) ? at + 1 : from;
}

function findValue(text: ScannedText, nameEnd: number): Value | "open" | null {
  const quoted = skipQuote(text, nameEnd);
  const bracket = text.at(quoted) === 93 ? quoted + 1 : quoted;
  const separator = endOf(text, bracket, BLANK, MAX_BLANKS);
  const afterSeparator = skipSeparator(text, separator);
  if (text.isCutOff(afterSeparator)) return "open";
  const isSpaced = afterSeparator === separator;
  if (isSpaced && (separator === nameEnd || !isFlag(text, nameEnd))) return null;
  const opening = endOf(text, afterSeparator, BLANK, MAX_BLANKS);
  const begin = skipQuote(text, opening);
  if (text.isCutOff(begin + 1)) return "open";
  const end = text.runEnd(begin, BARE);
  if (end - begin > MAX_VALUE) return null;
  if (text.isCutOff(end)) return "open";
  const isQuoted = begin > opening;
  if (isQuoted ? skipQuote(text, end) === end : isCode(text.at(end))) return null;
  const isTight = !isSpaced && separator === nameEnd && opening === afterSeparator;
  return { begin, end, isQuoted, isTight };
}

/** `=`, `:`, `:=`, `=>`; a comparison is none. */
function skipSeparator(text: ScannedText, at: number): number {
  const first = text.at(at);
  const second = text.at(at + 1);
  if (first === EQUALS) return second === EQUALS ? at : second === ANGLE ? at + 2 : at + 1;
  if (first === COLON) return second === COLON ? at : second === EQUALS ? at + 2 : at + 1;
  return at;
}

/** A call, an index, a template: what comes after a name of code, not after a value. */
const isCode = (byte: number): boolean => byte === 40 || byte === 91 || byte === 123 || byte === 60;

const isLineEnd = (text: ScannedText, at: number): boolean =>
  at >= text.bytes.length || text.at(at) === 10 || text.at(at) === 13 || text.at(at) === BACKSLASH;

/** `--token value`: the name of an option takes what comes after a blank. */
function isFlag(text: ScannedText, nameEnd: number): boolean {
  const begin = text.runBegin(nameEnd, URL64, MAX_NAME);
  return text.startsWith("--", begin) && !text.is(begin + 2, UPPER);
}

interface Name {
  readonly begin: number;
  /** It ends with the word, or has it as one of its words. */
  readonly isSecret: boolean;
  readonly isPassword: boolean;
  /** All capitals, as variables of the environment are. */
  readonly isLoud: boolean;
}

/** Words that make a key a secret one; `sort key` and `primary key` are none. */
const KEY_WORDS =
  "api app secret access private auth encryption encrypt decryption signing signature sign license licence account master admin client service consumer write deploy ingest shared storage session cookie webhook crypto crypt hmac jwt ssh ai"
    .split(" ")
    .map(foldWord);

const PASSWORD_WORDS = ["password", "passwd", "passphrase", "pwd", "_pass"].map(foldWord);

function describeName(text: ScannedText, wordBegin: number, nameEnd: number, word: string): Name {
  const begin = text.runBegin(wordBegin, URL64, MAX_NAME);
  let at = begin;
  while (at < nameEnd && !text.is(at, LOWER)) at += 1;
  text.steps += at - begin;
  const isLoud = at === nameEnd;
  return {
    begin,
    isSecret: word !== "key" || isSecretKey(text, begin, nameEnd, isLoud),
    isPassword: isPasswordWord(word) && endsWithWord(text, PASSWORD_WORDS, begin, nameEnd),
    isLoud,
  };
}

const KEY = foldWord("key");

/** A name in capitals says it by any word before its `_KEY`. */
function isSecretKey(text: ScannedText, begin: number, end: number, isLoud: boolean): boolean {
  text.steps += end - begin;
  for (let at = begin + 1; at + KEY.length <= end; at += 1) {
    if (!isWordAt(text, KEY, at)) continue;
    const isApart = !text.is(at - 1, ALNUM);
    if (isLoud ? isApart : endsWithWord(text, KEY_WORDS, begin, isApart ? at - 1 : at)) return true;
  }
  return false;
}

/** Before it stands a blank, a quote, or nothing: it is no part of an expression. */
function isAlone(text: ScannedText, begin: number): boolean {
  const before = text.at(begin - 1);
  if (begin === 0 || before <= 32 || isQuote(before)) return true;
  return !EXPRESSION_SIGNS.has(before) && findBoundary(text, begin);
}

const EXPRESSION_SIGNS = new Set(Buffer.from(",;.({"));

function isLineBegin(text: ScannedText, begin: number): boolean {
  let at = begin;
  while (begin - at < 16 && (text.is(at - 1, BLANK) || text.at(at - 1) === 45)) at -= 1;
  const before = text.at(at - 1);
  return at === 0 || before === 10 || (text.at(at - 2) === BACKSLASH && before === 110);
}

const MIN_CHOSEN = 6;

/** A value that a person has chosen: only where the name and the way it is written leave no doubt. */
function looksChosen(text: ScannedText, name: Name, value: Value, look: ValueLook): boolean {
  const length = Math.min(value.end - value.begin, MAX_LOOK);
  if (lettersOf(look) === 0 || isTypeName(text, value.begin, value.begin + length)) return false;
  const hasDigit = digitsOf(look) > 0;
  if (name.isLoud && value.isTight && name.isSecret && isAlone(text, name.begin))
    return name.isPassword || (length >= 8 && hasDigit);
  if (!name.isPassword || (!hasDigit && signsOf(look) === 0)) return false;
  if (value.isQuoted) return true;
  return hasDigit && isLineEnd(text, value.end) && isLineBegin(text, name.begin);
}
