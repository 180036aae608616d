// What the value beside a secret's name looks like: drawn by a machine, chosen by a person, or only a stand-in. All of it is
// read from the bytes: a string and an expression for each took most of the time of text full of `password=…`.
import { BYTE_CLASSES, DIGIT, HEX, LOWER, UPPER } from "./byte-classes.ts";
import type { ScannedText } from "./scanned-text.ts";

const PLUS = 43;
const DASH = 45;
const DOT = 46;
const EQUALS = 61;
const UNDERSCORE = 95;
const LETTER_V = 118;

/** Both cases of a letter as one; no other two bytes that a name or a value without quotes has become the same. */
const fold = (byte: number): number => byte | 0x20;

export type FoldedWord = Uint8Array;

export const foldWord = (word: string): FoldedWord => Buffer.from(word).map(fold);

/** The word stands there, in whatever case. */
export function isWordAt({ bytes }: ScannedText, word: FoldedWord, at: number): boolean {
  if (at < 0) return false;
  for (let index = 0; index < word.length; index += 1)
    if (fold(bytes[at + index] ?? 0) !== word[index]) return false;
  return true;
}

/** One of the words ends there and begins no earlier than the name does. */
export function endsWithWord(
  text: ScannedText,
  words: readonly FoldedWord[],
  begin: number,
  end: number,
): boolean {
  for (const word of words)
    if (end - word.length >= begin && isWordAt(text, word, end - word.length)) return true;
  return false;
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
].map(foldWord);

const pairOf = (first: number, second: number): number => ((first & 31) << 5) | (second & 31);

/** Which two bytes a stand-in may begin with. */
const PLACEHOLDER_PAIRS = new Uint8Array(1 << 10);
for (const [first = 0, second = 0] of PLACEHOLDERS) PLACEHOLDER_PAIRS[pairOf(first, second)] = 1;

/** What a value begins with that says where the real one comes from. */
const REFERENCE_SIGNS = "$%@*#.^~!?/";
const REFERENCE_WORDS = ["env:", "env.", "process.", "os."];

const IS_REFERENCE = 1;
const IS_VERSION_SIGN = 2;
const IS_WORD = 4;

/** For each byte what a value may be that begins with it. */
const BEGINNINGS = new Uint8Array(256);
for (const byte of Buffer.from(REFERENCE_SIGNS)) BEGINNINGS[byte] = IS_REFERENCE;
for (const byte of Buffer.from("v=0123456789")) BEGINNINGS[byte] = IS_VERSION_SIGN;
for (const word of REFERENCE_WORDS) BEGINNINGS[word.charCodeAt(0)] = IS_WORD;

/** Not the value itself but where it comes from, or a stand-in for it. */
export function isReference(text: ScannedText, begin: number, end: number): boolean {
  const beginning = BEGINNINGS[text.at(begin)];
  if (beginning === IS_REFERENCE) return true;
  if (beginning === IS_VERSION_SIGN && isVersion(text, begin, end)) return true;
  if (beginning === IS_WORD && beginsWithSource(text, begin, end)) return true;
  return holdsPlaceholder(text, begin, end);
}

const beginsWithSource = (text: ScannedText, begin: number, end: number): boolean =>
  REFERENCE_WORDS.some((word) => begin + word.length <= end && text.startsWith(word, begin));

function holdsPlaceholder(text: ScannedText, begin: number, end: number): boolean {
  const { bytes } = text;
  text.steps += end - begin;
  for (let at = begin; at + 1 < end; at += 1) {
    if (PLACEHOLDER_PAIRS[pairOf(bytes[at] ?? 0, bytes[at + 1] ?? 0)] === 0) continue;
    for (const word of PLACEHOLDERS)
      if (at + word.length <= end && isWordAt(text, word, at)) return true;
  }
  return false;
}

/** `1.2`, `v1.2.3`, `=1.0-beta`. */
function isVersion(text: ScannedText, begin: number, end: number): boolean {
  let at = begin;
  while (at < end && isVersionSign(text.at(at))) at += 1;
  const digits = at;
  while (at < end && text.is(at, DIGIT)) at += 1;
  text.steps += at - begin + 1;
  return at > digits && at + 1 < end && text.at(at) === DOT && text.is(at + 1, DIGIT);
}

const isVersionSign = (byte: number): boolean =>
  byte === LETTER_V || byte === EQUALS || byte === 94 || byte === 126;

/** How many of each kind of bytes a value has, in four times eight bits: of no value more than a hundred are looked at. */
export type ValueLook = number;

const ONE_DIGIT = 1;
const ONE_LETTER = 1 << 8;
/** Neither a letter, nor a digit, nor what base64 and hex have. */
const ONE_OTHER = 1 << 16;
/** What no name and no version has. */
const ONE_SIGN = 1 << 24;

export const digitsOf = (look: ValueLook): number => look & 0xff;
export const lettersOf = (look: ValueLook): number => (look >> 8) & 0xff;
const othersOf = (look: ValueLook): number => (look >> 16) & 0xff;
export const signsOf = (look: ValueLook): number => look >> 24;

const KIND_OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 48 && byte <= 57) return ONE_DIGIT;
  if (fold(byte) >= 97 && fold(byte) <= 122) return ONE_LETTER;
  if (byte === DOT || byte === DASH || byte === UNDERSCORE) return ONE_OTHER;
  return byte === EQUALS || byte === PLUS ? ONE_SIGN : ONE_OTHER + ONE_SIGN;
});

/** One sum without a branch: which kind comes next in a password is what no processor foresees. */
export function lookAtValue(text: ScannedText, begin: number, end: number): ValueLook {
  const { bytes } = text;
  let look = 0;
  for (let at = begin; at < end; at += 1) look += KIND_OF_BYTE[bytes[at] ?? 0] ?? 0;
  text.steps += end - begin;
  return look;
}

const MIN_DRAWN = 16;

/** A value that a machine has drawn: long, digits and letters in turn, no words. */
export function looksDrawn(
  text: ScannedText,
  begin: number,
  end: number,
  look: ValueLook,
): boolean {
  const length = end - begin;
  if (length < MIN_DRAWN) return false;
  if (length === UUID_LENGTH && isUuid(text, begin)) return true;
  if (lettersOf(look) === 0 || digitsOf(look) < 2) return false;
  if (othersOf(look) === 0) return true;
  return digitsOf(look) >= 3 && length >= 20 && countTurns(text, begin, end) * 3 >= length;
}

const KINDS = DIGIT | LOWER | UPPER;

/** How often small letters, capitals, digits and all else take turns. */
function countTurns(text: ScannedText, begin: number, end: number): number {
  let turns = 0;
  let last = -1;
  for (let at = begin; at < end; at += 1) {
    const kind = (BYTE_CLASSES[text.at(at)] ?? 0) & KINDS;
    if (kind !== last) turns += 1;
    last = kind;
  }
  text.steps += end - begin;
  return turns;
}

export const UUID_LENGTH = 36;

function isUuid(text: ScannedText, begin: number): boolean {
  for (let place = 0; place < UUID_LENGTH; place += 1) {
    const isDash = place === 8 || place === 13 || place === 18 || place === 23;
    if (isDash ? text.at(begin + place) !== DASH : !text.is(begin + place, HEX)) return false;
  }
  return true;
}

const TYPES = [
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
].map(foldWord);

/** The value is a word of code that says how something is kept. */
export function isTypeName(text: ScannedText, begin: number, end: number): boolean {
  for (const word of TYPES)
    if (word.length === end - begin && isWordAt(text, word, begin)) return true;
  return false;
}
