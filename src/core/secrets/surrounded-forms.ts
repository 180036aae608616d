// Secrets that are known by what stands around them: a header's word, the place in a URL.
import { findBoundary } from "./boundary.ts";
import { ALNUM, BASE64, DOTTED, URL_PART, WORD } from "./byte-classes.ts";
import type { FormMatch, SecretForm } from "./scan.ts";
import type { ScannedText } from "./scanned-text.ts";

const HEADER = "authorization";
const MAX_APART = 8;

/** `Authorization` stands before it, apart by a few signs, so that what follows is no prose. */
function isInHeader(text: ScannedText, at: number): boolean {
  let end = at;
  while (end > 0 && at - end <= MAX_APART && !text.is(end - 1, WORD)) end -= 1;
  if (end === at || at - end > MAX_APART || end < HEADER.length) return false;
  return text.slice(end - HEADER.length, end).toLowerCase() === HEADER;
}

const TOKEN = DOTTED | BASE64;
/** Nothing shorter is one, in a header or alone. */
const MIN_IN_HEADER = 8;
const MIN_ALONE = 12;

function matchScheme(
  text: ScannedText,
  begin: number,
  wordEnd: number,
  isToken: (token: string) => boolean,
): FormMatch {
  if (!findBoundary(text, begin)) return null;
  const at = text.skipBlanks(wordEnd);
  if (text.isCutOff(at)) return "open";
  if (at === wordEnd) return null;
  const end = text.runEnd(at, TOKEN);
  if (text.isCutOff(end)) return "open";
  if (end - at < MIN_IN_HEADER) return null;
  return isInHeader(text, begin) || isToken(text.slice(at, Math.min(end, at + 512)))
    ? { begin: at, end, tail: TOKEN, isSure: true }
    : null;
}

const isBearerToken = (token: string): boolean =>
  token.length >= MIN_ALONE && /\d/.test(token) && /[a-z]/i.test(token);

/** `name:password` in base64. */
const isBasicToken = (token: string): boolean =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(token) &&
  /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(token, "base64").toString("latin1"));

const COLON = 58;
const AT = 64;
const MAX_USER = 256;
const MAX_PASSWORD = 1024;
const WELL_KNOWN = /^(?:[$%{<([*\\]|(?:pass|passwd|password|pwd|pw|secret|token|x+)$)/i;

/** The password of `scheme://user:password@host`: up to the last `@` before the path. */
function matchUrl(text: ScannedText, begin: number, hostBegin: number): FormMatch {
  if (!text.is(begin - 1, ALNUM)) return null;
  const end = Math.min(text.runEnd(hostBegin, URL_PART), hostBegin + MAX_USER + MAX_PASSWORD);
  let colon = -1;
  let at = -1;
  for (let index = hostBegin; index < end; index += 1) {
    const byte = text.at(index);
    if (byte === COLON && colon === -1 && at === -1) colon = index;
    if (byte === AT) at = index;
  }
  text.steps += end - hostBegin;
  if (text.isCutOff(end)) return "open";
  if (colon === -1) return matchUserToken(text, hostBegin, at);
  const password = text.slice(colon + 1, at);
  if (at <= colon + 1 || WELL_KNOWN.test(password)) return null;
  const isSure =
    password !== text.slice(hostBegin, colon) && !OWN_MACHINE.test(text.slice(at + 1, end));
  return { begin: colon + 1, end: at, tail: null, isSure };
}

/** What a database of the developer's own machine asks for is in every README: masked, but no reason to stop. */
const OWN_MACHINE =
  /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?![\w.-])/i;

/** A token in the place of the user: `https://0123…@host`. */
function matchUserToken(text: ScannedText, begin: number, at: number): FormMatch {
  const user = text.slice(begin, Math.max(begin, at));
  const isToken = /^[\w-]{20,}$/.test(user) && /\d.*\d/.test(user) && /[a-z]/i.test(user);
  return isToken ? { begin, end: at, tail: null, isSure: true } : null;
}

const eitherCase = (word: string): string[] =>
  [...word].map((char) => char.toLowerCase() + char.toUpperCase());

export const createSurroundedForms = (): SecretForm[] => [
  {
    mark: eitherCase("bearer"),
    match: (text, begin, end) => matchScheme(text, begin, end, isBearerToken),
  },
  {
    mark: eitherCase("basic"),
    match: (text, begin, end) => matchScheme(text, begin, end, isBasicToken),
  },
  { mark: [..."://"], match: matchUrl },
  { mark: [...":\\/\\/"], match: matchUrl },
];
