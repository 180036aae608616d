// Values beside a name that says secret: `DB_PASSWORD=…`, `"api_key": "…"`, `x-auth-token: …`, `--token …`. The only place
// where a value without any mark of its own, such as bare hex, is taken for a secret.
import { findBoundary } from "./boundary.ts";
import { BARE, BLANK, DIGIT, UPPER, URL64 } from "./byte-classes.ts";
import type { FormMatch, SecretForm } from "./scan.ts";
import type { ScannedText } from "./scanned-text.ts";

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
  const nameEnd = endOf(text, wordEnd, URL64, MAX_NAME);
  if (word === "_auth" && nameEnd > wordEnd) return null;
  const value = findValue(text, nameEnd);
  if (value === "open" || value === null) return value;
  if (value.end - value.begin < MIN_CHOSEN || isPlainWord(word, text, value)) return null;
  const name = describeName(text, wordBegin, nameEnd, word);
  // The beginning of a long value says enough of it; a chain of `token=token=…` must not be read once for each name.
  const words = text.slice(value.begin, Math.min(value.end, value.begin + MAX_LOOK));
  if (isReference(words)) return null;
  if (name.isSecret && looksDrawn(words))
    return { begin: value.begin, end: value.end, tail: null, isSure: true };
  if (!looksChosen(words, name, value)) return null;
  return { begin: value.begin, end: value.end, tail: null, isSure: false };
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
  readonly isLineEnd: boolean;
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
  return { begin, end, isQuoted, isTight, isLineEnd: isLineEnd(text, end) };
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
  /** It ends with the word, or has it as one of its words. */
  readonly isSecret: boolean;
  readonly isPassword: boolean;
  /** All capitals, as variables of the environment are. */
  readonly isLoud: boolean;
  /** Before it stands a blank, a quote, or nothing: it is no part of an expression. */
  readonly isAlone: boolean;
  readonly isLineBegin: boolean;
}

/** Words that make a key a secret one; `sort key` and `primary key` are none. */
const SECRET_KEYS =
  /(?:api|app|secret|access|private|auth|encryption|encrypt|decryption|signing|signature|sign|licen[cs]e|account|master|admin|client|service|consumer|write|deploy|ingest|shared|storage|session|cookie|webhook|crypto|crypt|hmac|jwt|ssh|ai)[_-]?key/i;

function describeName(text: ScannedText, wordBegin: number, nameEnd: number, word: string): Name {
  const begin = text.runBegin(wordBegin, URL64, MAX_NAME);
  const name = text.slice(begin, nameEnd);
  const isLoud = !/[a-z]/.test(name);
  const before = text.at(begin - 1);
  return {
    isSecret: word === "key" ? (isLoud ? /[_-]key/i.test(name) : SECRET_KEYS.test(name)) : true,
    isPassword: isPasswordWord(word) && /(?:passw(?:or)?d|passphrase|pwd|_pass)$/i.test(name),
    isLoud,
    isAlone:
      begin === 0 ||
      before <= 32 ||
      isQuote(before) ||
      (findBoundary(text, begin) &&
        before !== 44 &&
        before !== 59 &&
        before !== 46 &&
        before !== 40 &&
        before !== 123),
    isLineBegin: isLineBegin(text, begin),
  };
}

function isLineBegin(text: ScannedText, begin: number): boolean {
  let at = begin;
  while (begin - at < 16 && (text.is(at - 1, BLANK) || text.at(at - 1) === 45)) at -= 1;
  const before = text.at(at - 1);
  return at === 0 || before === 10 || (text.at(at - 2) === BACKSLASH && before === 110);
}

const PLACEHOLDERS = [
  "your",
  "example",
  "changeme",
  "placeholder",
  "xxxx",
  "****",
  "....",
  "redacted",
  "dummy",
  "insert",
  "replace",
  "undefined",
  "secret]",
];

/** Not the value itself but where it comes from, or a stand-in for it. */
function isReference(value: string): boolean {
  if (/^[$%{<([@*#.^~!?/]|^env[:.]|^process\.|\$\{|\{\{|^os\./.test(value)) return true;
  const lower = value.toLowerCase();
  return PLACEHOLDERS.some((word) => lower.includes(word)) || /^[v^~<>=]*\d+(?:\.\d+)+/.test(value);
}

const MIN_DRAWN = 16;
const UUID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value that a machine has drawn: long, digits and letters in turn, no words. */
function looksDrawn(value: string): boolean {
  if (value.length < MIN_DRAWN) return false;
  if (UUID.test(value)) return true;
  const { digits, letters, others, turns } = countClasses(value);
  if (letters === 0 || digits < 2) return false;
  if (others === 0) return true;
  return digits >= 3 && value.length >= 20 && turns * 3 >= value.length;
}

interface ClassCounts {
  readonly digits: number;
  readonly letters: number;
  /** Neither letters, nor digits, nor what base64 and hex have. */
  readonly others: number;
  /** How often small letters, capitals and digits take turns. */
  readonly turns: number;
}

function countClasses(value: string): ClassCounts {
  let [digits, letters, others, turns, last] = [0, 0, 0, 0, -1];
  for (const char of value) {
    const isDigit = char >= "0" && char <= "9";
    const isLower = char >= "a" && char <= "z";
    const isUpper = char >= "A" && char <= "Z";
    const kind = isDigit ? 0 : isLower ? 1 : isUpper ? 2 : 3;
    if (isDigit) digits += 1;
    else if (isLower || isUpper) letters += 1;
    else if (char !== "=" && char !== "+") others += 1;
    if (kind !== last) turns += 1;
    last = kind;
  }
  return { digits, letters, others, turns };
}

const MIN_CHOSEN = 6;
const TYPES = new Set([
  "base64",
  "sha256",
  "sha512",
  "uint8array",
  "int32array",
  "argon2",
  "argon2id",
  "bcrypt",
  "string",
  "number",
  "boolean",
]);

/** A value that a person has chosen: only where the name and the way it is written leave no doubt. */
function looksChosen(
  value: string,
  name: Name,
  { isQuoted, isTight, isLineEnd: ends }: Value,
): boolean {
  if (value.length < MIN_CHOSEN || TYPES.has(value.toLowerCase()) || !/[A-Za-z]/.test(value))
    return false;
  const isVariable = name.isLoud && isTight && name.isAlone && name.isSecret;
  if (isVariable && name.isPassword) return true;
  if (isVariable) return value.length >= 8 && /\d/.test(value);
  if (!name.isPassword || !/\d|[^\w.-]/.test(value)) return false;
  return isQuoted || (name.isLineBegin && ends && /\d/.test(value));
}
