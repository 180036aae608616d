// Where a word may begin: also after what output wraps around text, `\n` of JSON, `%3D` of a URL, the colours of a terminal.
import { ALNUM, DIGIT, HEX, WORD } from "./byte-classes.ts";
import type { ScannedText } from "./scanned-text.ts";

const BACKSLASH = 92;
const PERCENT = 37;
const OPEN_BRACKET = 91;
const SEMICOLON = 59;
const ESCAPE = 27;
const PLUS = 43;
const MINUS = 45;
const SLASH = 47;
const LETTER_M = 109;
const LETTER_U = 117;

/** `isApart`: nothing of base64 stands before it either, for marks that long base64 has by chance. */
export function findBoundary(text: ScannedText, at: number, isApart = false): boolean {
  if (at === 0) return true;
  const before = text.at(at - 1);
  if (!text.is(at - 1, WORD))
    return !isApart || (before !== PLUS && before !== SLASH && before !== MINUS);
  return isEscape(text, at);
}

function isEscape(text: ScannedText, at: number): boolean {
  if (text.at(at - 2) === BACKSLASH && text.is(at - 1, ALNUM)) return true;
  if (text.at(at - 3) === PERCENT && text.is(at - 1, HEX) && text.is(at - 2, HEX)) return true;
  if (text.at(at - 6) === BACKSLASH && text.at(at - 5) === LETTER_U)
    return [1, 2, 3, 4].every((back) => text.is(at - back, HEX));
  return text.at(at - 1) === LETTER_M && isColour(text, at - 2);
}

const MAX_COLOUR = 20;

/** The digits of `ESC [ 1 ; 32 m`, also where JSON wrote the first character as `\u001b`. */
function isColour(text: ScannedText, last: number): boolean {
  let at = last;
  while (last - at < MAX_COLOUR && (text.is(at, DIGIT) || text.at(at) === SEMICOLON)) at -= 1;
  if (text.at(at) !== OPEN_BRACKET) return false;
  const lead = text.at(at - 1);
  return lead === ESCAPE || /\\(?:u001b|x1b|033|e)$/i.test(text.slice(Math.max(0, at - 6), at));
}
