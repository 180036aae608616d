// The one scanner for secrets: linear in the text, without regular expressions. A sieve says where three bytes of a mark
// (`ghp_`, `PRIVATE KEY`, `password`) may stand, and only there a form looks closer.
import { type ByteClass, fillByteClasses } from "./byte-classes.ts";
import { skipRepeat } from "./repeats.ts";
import { ScannedText } from "./scanned-text.ts";
import {
  addTriple,
  createSieve,
  nextTriple,
  numberAt,
  type Sieve,
  type Triple,
  viewPairs,
} from "./sieve.ts";

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

interface ScanResult {
  /** Of what begins behind `openAt` some may be missing. */
  readonly spans: readonly SecretSpan[];
  /** Where the first thing begins that the end of the text left undecided; the text's length where there is none. */
  readonly openAt: number;
  /** How often a byte was looked at beyond the sieve. */
  readonly steps: number;
  /** Of a secret that begins there or behind, nothing is known: more steps would have been too many. Else -1. */
  readonly stoppedAt: number;
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
  /** What may stand before the three and behind them: most candidates fail there. */
  readonly before: Uint8Array;
  readonly next: Uint8Array;
  readonly second: Uint8Array;
}

/** Those whose three bytes have the same place in the sieve. */
interface Bucket {
  readonly candidates: Candidate[];
  /** The bytes at which it was last asked, and who could stand there: text that is slow to scan repeats itself. */
  askedAt: number;
  answer: readonly Candidate[];
}

interface ScanTables {
  readonly sieve: Sieve;
  /** By the sieve's numbers. */
  readonly buckets: readonly Bucket[];
  readonly count: number;
}

export type Scanner = (
  bytes: Uint8Array,
  from: number,
  isWhole: boolean,
  maxSteps?: number,
) => ScanResult;

/** Builds the tables once; what stands first among the forms counts where two would match alike. */
export function createScanner(forms: readonly SecretForm[]): Scanner {
  fillByteClasses();
  const tables = buildTables(forms);
  return (bytes, from, isWhole, maxSteps = Number.POSITIVE_INFINITY) =>
    scan(new ScannedText(bytes, isWhole), from, tables, maxSteps);
}

function buildTables(forms: readonly SecretForm[]): ScanTables {
  const sieve = createSieve();
  const buckets: Bucket[] = [makeBucket()];
  let count = 0;
  const sets = new Map<string, Uint8Array>();
  for (const form of forms) {
    const offset = rarestTriple(form.mark);
    const mark = form.mark.map((chars) => sets.get(chars) ?? listBytes(chars, sets));
    const setAt = (place: number) => mark[place] ?? ANY_BYTE;
    const around = {
      before: setAt(offset - 1),
      next: setAt(offset + 3),
      second: setAt(offset + 4),
    };
    for (const triple of spell(form.mark.slice(offset, offset + 3))) {
      const number = addTriple(sieve, triple, buckets.length);
      if (number === buckets.length) buckets.push(makeBucket());
      const [a, b, c] = triple;
      const key = (a << 16) | (b << 8) | c;
      buckets[number]?.candidates.push({ index: count, key, form, mark, offset, ...around });
      count += 1;
    }
  }
  return { sieve, buckets, count };
}

const makeBucket = (): Bucket => ({ candidates: [], askedAt: -1, answer: [] });

const ANY_BYTE = new Uint8Array(256).fill(1);

function listBytes(chars: string, sets: Map<string, Uint8Array>): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const char of chars) bytes[char.charCodeAt(0)] = 1;
  sets.set(chars, bytes);
  return bytes;
}

function scan(text: ScannedText, from: number, tables: ScanTables, maxSteps: number): ScanResult {
  const { bytes } = text;
  const state: ScanState = { spans: [], openAt: bytes.length, floor: from, barren: null };
  const pairs = viewPairs(bytes);
  const look = {
    at: from + MIN_LOOK_BYTES,
    every: MIN_LOOK_BYTES,
    tries: MIN_TRIES,
    left: MIN_TRIES,
  };
  let stoppedAt = -1;
  // The pairs may begin behind the first byte, and end before the last.
  tryTriple(text, from, tables, state);
  for (let at = Math.max(from, state.floor); ; ) {
    at = nextTriple(tables.sieve, bytes, pairs, at, look.at);
    if (at < 0) tryTriple(text, bytes.length - 3, tables, state);
    // What begins behind something undecided is looked for again when that is decided.
    if (at < 0 || at > state.openAt + MAX_REACH) break;
    if (at >= look.at || look.left === 0) {
      const next = skipRepeat(bytes, at, Math.max(from, state.floor));
      look.every = next > at ? MIN_LOOK_BYTES : Math.min(look.every * 2, MAX_LOOK_BYTES);
      look.at = next + look.every;
      look.tries = next > at ? MIN_TRIES : Math.min(look.tries * 2, MAX_TRIES);
      look.left = look.tries;
      at = next;
      continue;
    }
    look.left -= 1;
    const isFound = tryTriple(text, at, tables, state) || tryTriple(text, at + 1, tables, state);
    at = isFound ? Math.max(at, state.floor) : at + 2;
    if (text.steps > maxSteps) {
      stoppedAt = Math.max(from, at - MAX_REACH);
      break;
    }
  }
  return { spans: state.spans, openAt: state.openAt, steps: text.steps, stoppedAt };
}

/** After so many bytes, or so many marks that were none, it is looked whether the text repeats itself. */
const MIN_LOOK_BYTES = 2048;
const MAX_LOOK_BYTES = 1 << 14;
const MIN_TRIES = 64;
const MAX_TRIES = 512;

/** No mark is longer, with all that may belong to its secret before it. */
const MAX_REACH = 128;

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
  const { bytes } = text;
  const number = numberAt(tables.sieve, bytes, at);
  if (number === 0) return false;
  let best: SecretSpan | null = null;
  const candidates = listCandidates(bytes, at, tables.buckets[number]);
  for (let place = 0; place < candidates.length; place += 1) {
    const candidate = candidates[place];
    if (candidate === undefined) break;
    const match = tryCandidate(text, at - candidate.offset, candidate, tables, state);
    if (match !== null && match.end > (best?.end ?? 0)) best = match;
  }
  if (best === null || best.begin < state.floor) return false;
  state.spans.push(best);
  state.floor = best.end;
  return true;
}

/** Fewer are compared as fast as remembered. */
const MIN_REMEMBERED = 4;

/** Those of the bucket whose three bytes stand there, with theirs before and behind; of a few all. */
function listCandidates(
  bytes: Uint8Array,
  at: number,
  bucket: Bucket | undefined,
): readonly Candidate[] {
  if (bucket === undefined) return [];
  if (bucket.candidates.length < MIN_REMEMBERED) return bucket.candidates;
  const key = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const before = bytes[at - 1] ?? 0;
  const next = bytes[at + 3] ?? 0;
  const second = bytes[at + 4] ?? 0;
  const asked = key * 0x1000000 + ((before << 16) | (next << 8) | second);
  if (bucket.askedAt === asked) return bucket.answer;
  bucket.askedAt = asked;
  bucket.answer = bucket.candidates.filter(
    (candidate) =>
      candidate.key === key &&
      candidate.next[next] === 1 &&
      candidate.second[second] === 1 &&
      candidate.before[before] === 1,
  );
  return bucket.answer;
}

function tryCandidate(
  text: ScannedText,
  begin: number,
  { index, form, mark }: Candidate,
  tables: ScanTables,
  state: ScanState,
): SecretSpan | null {
  if (begin < state.floor || (state.barren !== null && begin < (state.barren[index] ?? 0)))
    return null;
  if (!standsAt(text, mark, begin)) return null;
  const match = form.match(text, begin, begin + mark.length);
  if (match === "open") state.openAt = Math.min(state.openAt, begin - (form.reach ?? 0));
  else if (typeof match === "number") {
    state.barren ??= new Int32Array(tables.count);
    state.barren[index] = match;
  } else return match;
  return null;
}

function standsAt(text: ScannedText, mark: readonly Uint8Array[], begin: number): boolean {
  const { bytes } = text;
  text.steps += 1;
  if (begin + mark.length > bytes.length) return false;
  for (let index = 0; index < mark.length; index += 1)
    if (mark[index]?.[bytes[begin + index] ?? 0] !== 1) return false;
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

function* spell(sets: readonly string[]): Generator<Triple> {
  const [first = "", second = "", third = ""] = sets;
  for (const a of first)
    for (const b of second)
      for (const c of third) yield [a.charCodeAt(0), b.charCodeAt(0), c.charCodeAt(0)];
}
