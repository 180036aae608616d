// Masks bytes that come in pieces: a token that is cut in two is masked, everything else passes byte for byte. What the
// end of a piece leaves undecided is held back, so much and no more; a flood of secrets is masked unseen.
import type { ByteClass } from "./byte-classes.ts";
import { FLOOD_MASK, findRestart, LOOK_LIMITS, LookBudget, type LookLimits } from "./flood.ts";
import { type ExactValues, listExactValues, MASK, scanSecrets, spellExactValues } from "./mask.ts";
import { cutSecret, skipSecret } from "./private-keys.ts";
import type { SecretSpan } from "./scan.ts";

export interface StreamMasker {
  /** What of the bytes so far can be given on; it holds until the call after the next, which needs the room. */
  push(bytes: Uint8Array): Uint8Array;
  /** Bytes were taken in and not looked at: more of the flood is waited for. */
  readonly isWaiting: boolean;
  /** What can be given on of these, where nothing more came for a while. */
  settle(): Uint8Array;
  /** What was still held back. */
  end(): Uint8Array;
}

/** What was given on and may still be looked back at: the longest name, the hex before a mark. */
const CONTEXT_BYTES = 160;
/** No mark is longer, with what belongs to the secret before it. */
const MIN_TAIL_BYTES = 128;
/** What is undecided for longer is decided as it stands; what goes on after it in the same alphabet is masked too. */
const MAX_HELD_BYTES = 64 * 1024;

/** More than this is a flood, whose pieces are taken many at a time: the ends of each piece cost more than its middle. */
const FLOOD_BYTES = 1 << 20;
const FLOOD_PIECE_BYTES = 1 << 20;

const MASK_BYTES = Buffer.from(MASK);
const FLOOD_MASK_BYTES = Buffer.from(FLOOD_MASK);
const NOTHING = Buffer.alloc(0);

export function createStreamMasker(
  exact: ExactValues = [],
  limits: LookLimits = LOOK_LIMITS,
): StreamMasker {
  return new Masker(exact, limits);
}

interface Found {
  readonly spans: readonly SecretSpan[];
  readonly openAt: number;
  /** From there on nothing was looked at, -1 where all was. */
  readonly stoppedAt: number;
}

class Masker implements StreamMasker {
  readonly #source: ExactValues;
  #known: readonly string[] = [];
  #exact: readonly Buffer[] = [];
  #tailBytes = MIN_TAIL_BYTES;
  /**
   * Two rooms for all pieces, in turns: one is scanned while the other is written. A new one for each, 64 KB long, kept
   * the garbage collector busier than the scanner is.
   */
  #room: Buffer = Buffer.alloc(0);
  #spare: Buffer = Buffer.alloc(0);
  /** Context that was given on, then what is held back; it lies in the room. */
  #pending: Buffer = Buffer.alloc(0);
  #contextBytes = 0;
  /** Pieces that wait until it is worth to scan what is held back once more. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #seenBytes = 0;
  /** The alphabet of a secret that went on beyond all limits. */
  #swallowed: ByteClass | null = null;
  readonly #budget: LookBudget;
  /** Nothing is looked at or given on; of what came the last is held, for what may go on behind it. */
  #isFlooded = false;
  /** Up to there nothing is given on of what is looked at again after a flood. */
  #hiddenTo = 0;

  constructor(exact: ExactValues, limits: LookLimits) {
    this.#source = exact;
    this.#budget = new LookBudget(limits);
    this.#learn();
  }

  /** What is held back is looked through for new values as well: it has not been given on. */
  #learn(): void {
    const values = listExactValues(this.#source);
    if (values === this.#known) return;
    this.#known = values;
    this.#exact = spellExactValues(values).map((value) => Buffer.from(value));
    this.#tailBytes = Math.max(MIN_TAIL_BYTES, ...this.#exact.map(({ length }) => length));
  }

  push(bytes: Uint8Array): Uint8Array {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#seenBytes += bytes.length;
    // Held bytes are scanned again only when as many new ones have come: a thousand small pieces cost what one large does.
    const heldBytes = this.#pending.length - this.#contextBytes;
    const isFlood = this.#seenBytes > FLOOD_BYTES;
    const minBytes = Math.max(
      heldBytes > this.#tailBytes ? heldBytes : 0,
      isFlood ? FLOOD_PIECE_BYTES : 0,
    );
    return this.#waitingBytes < minBytes ? NOTHING : this.#take(false);
  }

  get isWaiting(): boolean {
    return this.#waitingBytes > 0;
  }

  settle(): Uint8Array {
    return this.#waitingBytes === 0 ? NOTHING : this.#take(false);
  }

  end(): Uint8Array {
    return this.#take(true);
  }

  #take(isEnd: boolean): Uint8Array {
    this.#learn();
    const came = this.#waitingBytes;
    this.#moveIn();
    this.#budget.refill(came);
    if (this.#isFlooded && !this.#restart(came)) return NOTHING;
    const begin = this.#swallow(isEnd);
    if (this.#swallowed !== null) return NOTHING;
    let found = this.#find(begin, isEnd, came);
    let settled = this.#settle(found, isEnd);
    if (settled < 0) {
      // That took too long: it is decided as it stands.
      found = this.#cut(this.#find(begin, true, came));
      settled = Math.max(found.openAt, this.#hiddenTo);
    }
    return found.stoppedAt < 0
      ? this.#giveOn(begin, settled, found.spans)
      : this.#flood(begin, found);
  }

  #find(begin: number, isWhole: boolean, came: number): Found {
    const bytes = this.#pending;
    // What is held back is looked at again and again, and paid for once.
    const share = Math.min(1, came / Math.max(1, bytes.length - begin));
    const limit = share === 0 ? Number.POSITIVE_INFINITY : this.#budget.left / share;
    const { spans, openAt, steps, stoppedAt } = scanSecrets(bytes, begin, isWhole, limit);
    this.#budget.spend(steps * share);
    return { spans: merge(spans, this.#findExact(begin)), openAt, stoppedAt };
  }

  /** Gives on what was looked at; what comes from there on is masked unseen. */
  #flood(begin: number, { spans, openAt, stoppedAt }: Found): Uint8Array {
    const stopped = Math.max(begin, Math.min(openAt, stoppedAt));
    // What is held begins with all of a secret, or where it is looked at again its rest would look like none.
    const cut = spans.find((span) => span.begin < stopped && span.end > stopped);
    const seen = cut?.begin ?? stopped;
    const rest = this.#pending.subarray(seen);
    // A flood that has not ended has its mark.
    const isSame = seen < this.#hiddenTo;
    const given = isSame ? [] : [this.#giveOn(begin, seen, spans), FLOOD_MASK_BYTES];
    this.#isFlooded = true;
    this.#hold(rest);
    return Buffer.concat(given);
  }

  /** Of what is masked unseen so much is held as a secret may be long that goes on behind it. */
  #hold(bytes: Buffer): void {
    this.#pending = bytes.subarray(Math.max(0, bytes.length - MAX_HELD_BYTES - this.#tailBytes));
    this.#contextBytes = 0;
    this.#hiddenTo = 0;
  }

  /** True where text is looked at again. */
  #restart(came: number): boolean {
    const bytes = this.#pending;
    const restart = this.#budget.isRestored
      ? findRestart(bytes, bytes.length - came, this.#tailBytes)
      : null;
    if (restart === null) {
      this.#hold(bytes);
      return false;
    }
    const keptFrom = Math.max(0, restart.from - CONTEXT_BYTES);
    this.#pending = bytes.subarray(keptFrom);
    this.#contextBytes = restart.from - keptFrom;
    this.#hiddenTo = restart.lineEnd - keptFrom;
    this.#isFlooded = false;
    return true;
  }

  /** What is held back goes to the beginning of the other room, what waits behind it. */
  #moveIn(): void {
    const length = this.#pending.length + this.#waitingBytes;
    const room = length > this.#spare.length ? Buffer.allocUnsafe(length * 2) : this.#spare;
    let at = this.#pending.copy(room);
    for (const bytes of this.#waiting) {
      room.set(bytes, at);
      at += bytes.length;
    }
    this.#spare = this.#room;
    this.#room = room;
    this.#pending = room.subarray(0, at);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** Up to where everything is decided; negative where that took too long. */
  #settle({ spans, openAt }: Found, isEnd: boolean): number {
    const { length } = this.#pending;
    if (isEnd) return length;
    const lastEnd = spans.at(-1)?.end ?? 0;
    const decided = Math.min(openAt, Math.max(length - this.#tailBytes, lastEnd));
    const settled = decided < this.#hiddenTo ? 0 : decided;
    const atLeast = Math.max(settled, this.#contextBytes);
    return length - atLeast > MAX_HELD_BYTES ? -1 : atLeast;
  }

  /** Of a secret that goes on at the end the rest is skipped when it comes. */
  #cut(found: Found): Found {
    const { length } = this.#pending;
    const last = found.stoppedAt < 0 ? found.spans.at(-1) : undefined;
    const cut = last === undefined ? null : cutSecret(this.#pending, last);
    if (cut === null) return { ...found, openAt: length };
    this.#swallowed = cut.tail;
    return { ...found, spans: [...found.spans.slice(0, -1), cut], openAt: cut.end };
  }

  /** Skips what belongs to a secret whose beginning was masked before. */
  #swallow(isEnd: boolean): number {
    if (this.#swallowed === null) return this.#contextBytes;
    const { end, isOver } = skipSecret(this.#pending, this.#contextBytes, this.#swallowed, isEnd);
    if (isOver) this.#swallowed = null;
    this.#pending = this.#pending.subarray(end);
    this.#contextBytes = 0;
    return 0;
  }

  #findExact(from: number): SecretSpan[] {
    const found: SecretSpan[] = [];
    for (const value of this.#exact)
      for (let at = this.#pending.indexOf(value, from); at !== -1; ) {
        found.push({ begin: at, end: at + value.length, tail: null, isSure: true });
        at = this.#pending.indexOf(value, at + value.length);
      }
    return found;
  }

  #giveOn(begin: number, settled: number, spans: readonly SecretSpan[]): Uint8Array {
    if (settled < this.#hiddenTo) return NOTHING;
    const bytes = this.#pending;
    let from = Math.max(begin, this.#hiddenTo);
    // What begins in what is hidden is hidden to its end.
    let first = 0;
    for (; first < spans.length && (spans[first]?.begin ?? 0) < this.#hiddenTo; first += 1)
      from = Math.max(from, spans[first]?.end ?? 0);
    let last = spans.length;
    while (last > first && (spans[last - 1]?.begin ?? 0) >= settled) last -= 1;
    const next = Math.max(from, settled, spans[last - 1]?.end ?? 0);
    const keptFrom = Math.max(0, next - CONTEXT_BYTES);
    this.#contextBytes = next - keptFrom;
    this.#pending = bytes.subarray(keptFrom);
    this.#hiddenTo = 0;
    const given = bytes.subarray(0, next);
    return last === first
      ? given.subarray(from)
      : writeMasked(given, from, spans.slice(first, last));
  }
}

/** The bytes from there on with a mask for each span, in one new block. */
function writeMasked(bytes: Buffer, from: number, spans: readonly SecretSpan[]): Buffer {
  const written = Buffer.allocUnsafe(bytes.length - from + spans.length * MASK_BYTES.length);
  let at = from;
  let end = 0;
  for (const span of spans) {
    end = copyBytes(bytes, at, span.begin, written, end);
    end = copyBytes(MASK_BYTES, 0, MASK_BYTES.length, written, end);
    at = span.end;
  }
  return written.subarray(0, copyBytes(bytes, at, bytes.length, written, end));
}

/** Fewer are written one by one before the system's copying has begun. */
const FEW_BYTES = 64;

/** Where the next byte would be written. */
function copyBytes(from: Buffer, begin: number, end: number, into: Buffer, at: number): number {
  if (end - begin > FEW_BYTES) return at + from.copy(into, at, begin, end);
  for (let index = begin; index < end; index += 1) into[at + index - begin] = from[index] ?? 0;
  return at + end - begin;
}

/** One list in order; what overlaps becomes one span. */
function merge(forms: readonly SecretSpan[], exact: readonly SecretSpan[]): readonly SecretSpan[] {
  if (exact.length === 0) return forms;
  const sorted = [...forms, ...exact].sort((a, b) => a.begin - b.begin || b.end - a.end);
  const merged: SecretSpan[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.begin >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...span, begin: last.begin };
  }
  return merged;
}
