// The one scanner for secrets: linear in the text, without regular expressions. It steps over the bytes two by two, asks
// a table whether these two may stand in a mark (`ghp_`, `PRIVATE KEY`, `password`), and only there lets a form look closer.
import { type ByteClass, fillByteClasses } from "./byte-classes.ts";
import { ScannedText } from "./scanned-text.ts";

export interface SecretSpan {
  readonly begin: number;
  readonly end: number;
  /** What the span's last part consists of: the rest of a secret that is longer than any piece of a stream. */
  readonly tail: ByteClass | null;
  /** A form nobody uses by chance; a guard stops for these alone, while records are masked for all. */
  readonly isSure: boolean;
}

/** `open`: what comes after the piece in hand decides. A number: there is none, nor can one begin before that place. */
export type FormMatch = SecretSpan | "open" | number | null;

export interface SecretForm {
  /** For each character of the mark those that may stand there; three of them at least. */
  readonly mark: readonly string[];
  /** So many bytes before the mark may belong to the secret. */
  readonly reach?: number;
  /** Looks around a mark that stands at `begin` and ends before `end`. */
  readonly match: (text: ScannedText, begin: number, end: number) => FormMatch;
}

export interface ScanResult {
  readonly spans: readonly SecretSpan[];
  /** Where the first thing begins that the end of the text left undecided; the text's length where there is none. */
  readonly openAt: number;
  /** How often a byte was looked at beyond the two by two, for the tests of growth. */
  readonly steps: number;
}

interface Candidate {
  /** Its place among all, for what is kept of each while a text is scanned. */
  readonly index: number;
  /** The three bytes by which it is found. */
  readonly key: number;
  readonly form: SecretForm;
  /** For each place of the mark the bytes that may stand there. */
  readonly mark: readonly Uint8Array[];
  /** Where in the mark the three bytes stand by which it is found. */
  readonly offset: number;
  /** What may stand behind the three: most candidates fail there. Null where the mark ends with them. */
  readonly next: Uint8Array | null;
}

interface ScanTables {
  /** Two bytes that stand in some mark, at the place where it is looked for. */
  readonly pairs: Uint8Array;
  /** For three bytes the bucket of those that may stand there, 0 for none: most pairs stand in ordinary words. */
  readonly sieve: Uint16Array;
  readonly buckets: readonly (readonly Candidate[])[];
  readonly count: number;
}

export type Scanner = (bytes: Uint8Array, from: number, isWhole: boolean) => ScanResult;

/** Builds the tables once; what stands first among the forms counts where two would match alike. */
export function createScanner(forms: readonly SecretForm[]): Scanner {
  fillByteClasses();
  const tables = buildTables(forms);
  return (bytes, from, isWhole) => scan(new ScannedText(bytes, isWhole), from, tables);
}

function buildTables(forms: readonly SecretForm[]): ScanTables {
  const pairs = new Uint8Array(1 << 16);
  const sieve = new Uint16Array(1 << 16);
  const buckets: Candidate[][] = [[]];
  let count = 0;
  const sets = new Map<string, Uint8Array>();
  for (const form of forms) {
    const offset = rarestTriple(form.mark);
    const mark = form.mark.map((chars) => sets.get(chars) ?? listBytes(chars, sets));
    for (const [a, b, c] of spell(form.mark.slice(offset, offset + 3))) {
      pairs[(a << 8) | b] = 1;
      pairs[(b << 8) | c] = 1;
      const place = sieveIndex(a, b, c);
      const bucket = sieve[place] || buckets.push([]) - 1;
      sieve[place] = bucket;
      const key = (a << 16) | (b << 8) | c;
      const next = mark[offset + 3] ?? null;
      buckets[bucket]?.push({ index: count, key, form, mark, offset, next });
      count += 1;
    }
  }
  return { pairs, sieve, buckets, count };
}

const sieveIndex = (a: number, b: number, c: number): number =>
  (a * 4_129 + b * 257 + c * 31) & 0xffff;

function listBytes(chars: string, sets: Map<string, Uint8Array>): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const char of chars) bytes[char.charCodeAt(0)] = 1;
  sets.set(chars, bytes);
  return bytes;
}

function scan(text: ScannedText, from: number, tables: ScanTables): ScanResult {
  const { bytes } = text;
  const state: ScanState = { spans: [], openAt: bytes.length, floor: from, barren: null };
  for (let at = from; ; ) {
    at = nextPair(bytes, tables, at);
    if (at < 0) break;
    const isFound = tryTriple(text, at - 1, tables, state) || tryTriple(text, at, tables, state);
    at = isFound ? Math.max(at, state.floor) : at + 2;
  }
  return { spans: state.spans, openAt: state.openAt, steps: text.steps };
}

/** The next two bytes of a mark, found two by two; -1 where there are none. */
function nextPair(bytes: Uint8Array, { pairs, sieve }: ScanTables, from: number): number {
  const last = bytes.length - 1;
  for (let at = from; at < last; at += 2) {
    const a = bytes[at] ?? 0;
    const b = bytes[at + 1] ?? 0;
    if (pairs[(a << 8) | b] === 0) continue;
    const before = at > 0 ? (bytes[at - 1] ?? 0) : 0;
    const after = at + 2 <= last ? (bytes[at + 2] ?? 0) : 0;
    if (sieve[sieveIndex(before, a, b)] !== 0 || sieve[sieveIndex(a, b, after)] !== 0) return at;
  }
  return -1;
}

interface ScanState {
  readonly spans: SecretSpan[];
  openAt: number;
  /** The end of the last span: nothing begins before it. */
  floor: number;
  /** Up to where a form cannot begin: a mark repeated a million times is looked at once. */
  barren: Int32Array | null;
}

/** Takes the span of the form that reaches farthest; true where there is one. */
function tryTriple(text: ScannedText, at: number, tables: ScanTables, state: ScanState): boolean {
  const a = text.at(at);
  const b = text.at(at + 1);
  const c = text.at(at + 2);
  const bucket = tables.sieve[sieveIndex(a, b, c)] ?? 0;
  if (bucket === 0) return false;
  const key = (a << 16) | (b << 8) | c;
  let best: SecretSpan | null = null;
  const d = text.at(at + 3);
  for (const { index, key: own, form, mark, offset, next } of tables.buckets[bucket] ?? []) {
    if (own !== key || (next !== null && next[d] !== 1)) continue;
    const begin = at - offset;
    if (begin < state.floor) continue;
    if (state.barren !== null && begin < (state.barren[index] ?? 0)) continue;
    if (!standsAt(text, mark, begin)) continue;
    const match = form.match(text, begin, begin + mark.length);
    if (match === "open") state.openAt = Math.min(state.openAt, begin - (form.reach ?? 0));
    else if (typeof match === "number") {
      state.barren ??= new Int32Array(tables.count);
      state.barren[index] = match;
    } else if (match !== null && match.end > (best?.end ?? 0)) best = match;
  }
  if (best === null || best.begin < state.floor) return false;
  state.spans.push(best);
  state.floor = best.end;
  return true;
}

function standsAt(text: ScannedText, mark: readonly Uint8Array[], begin: number): boolean {
  text.steps += 1;
  for (let index = 0; index < mark.length; index += 1)
    if (mark[index]?.[text.at(begin + index)] !== 1) return false;
  text.steps += mark.length;
  return true;
}

/** From the most common letter of ordinary text to the rarest; what is not among them is rarer still. */
const COMMON = " etaoinsrlhdcumpfgwybvkxjqz";

/** Where the three characters stand that ordinary text has least. */
function rarestTriple(mark: readonly string[]): number {
  const rarity = (set: string) =>
    Math.min(...[...set].map((char) => (COMMON.includes(char) ? COMMON.indexOf(char) : 40)));
  let best = 0;
  let highest = -1;
  for (let offset = 0; offset + 3 <= mark.length; offset += 1) {
    const three = mark.slice(offset, offset + 3);
    const score = three.reduce((sum, set) => sum + rarity(set), 0);
    if (score > highest && three.reduce((count, set) => count * set.length, 1) <= 512) {
      highest = score;
      best = offset;
    }
  }
  return best;
}

function* spell(sets: readonly string[]): Generator<[number, number, number]> {
  const [first = "", second = "", third = ""] = sets;
  for (const a of first)
    for (const b of second)
      for (const c of third) yield [a.charCodeAt(0), b.charCodeAt(0), c.charCodeAt(0)];
}
