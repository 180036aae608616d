// Masks bytes that come in pieces: a token that is cut in two is masked, everything else passes byte for byte. What the
// end of a piece leaves undecided is held back, so much and no more.
import { BYTE_CLASSES, type ByteClass } from "./byte-classes.ts";
import { type ExactValues, listExactValues, MASK, scanSecrets, spellExactValues } from "./mask.ts";
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
const NOTHING = Buffer.alloc(0);

export function createStreamMasker(exact: ExactValues = []): StreamMasker {
  return new Masker(exact);
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

  constructor(exact: ExactValues) {
    this.#source = exact;
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
    this.#moveIn();
    const begin = this.#swallow();
    const bytes = this.#pending;
    const scanned = scanSecrets(bytes, begin, isEnd);
    const spans = merge(scanned.spans, this.#findExact(begin));
    const settled = this.#settle(spans, scanned.openAt, isEnd);
    if (settled < 0) return this.#force(begin);
    return this.#giveOn(begin, settled, spans);
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
  #settle(spans: readonly SecretSpan[], openAt: number, isEnd: boolean): number {
    const { length } = this.#pending;
    if (isEnd) return length;
    const lastEnd = spans.at(-1)?.end ?? 0;
    const decided = Math.max(length - this.#tailBytes, lastEnd);
    const settled = Math.max(Math.min(openAt, decided), this.#contextBytes);
    return length - settled > MAX_HELD_BYTES ? -1 : settled;
  }

  #force(begin: number): Uint8Array {
    const { spans } = scanSecrets(this.#pending, begin, true);
    const merged = merge(spans, this.#findExact(begin));
    const last = merged.at(-1);
    if (last?.end === this.#pending.length) this.#swallowed = last.tail;
    return this.#giveOn(begin, this.#pending.length, merged);
  }

  /** Skips what belongs to a secret whose beginning was masked before. */
  #swallow(): number {
    const alphabet = this.#swallowed;
    if (alphabet === null) return this.#contextBytes;
    let at = this.#contextBytes;
    const { length } = this.#pending;
    while (at < length && ((BYTE_CLASSES[this.#pending[at] ?? 0] ?? 0) & alphabet) !== 0) at += 1;
    if (at < length) this.#swallowed = null;
    this.#pending = this.#pending.subarray(at);
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

  #giveOn(from: number, settled: number, spans: readonly SecretSpan[]): Uint8Array {
    const bytes = this.#pending;
    let count = spans.length;
    while (count > 0 && (spans[count - 1]?.begin ?? 0) >= settled) count -= 1;
    const next = Math.max(from, settled, spans[count - 1]?.end ?? 0);
    const keptFrom = Math.max(0, next - CONTEXT_BYTES);
    this.#contextBytes = next - keptFrom;
    this.#pending = bytes.subarray(keptFrom);
    const given = bytes.subarray(0, next);
    return count === 0 ? given.subarray(from) : writeMasked(given, from, spans, count);
  }
}

/** The bytes from there on with a mask for each of the first spans, in one new block. */
function writeMasked(
  bytes: Buffer,
  from: number,
  spans: readonly SecretSpan[],
  count: number,
): Buffer {
  const written = Buffer.allocUnsafe(bytes.length - from + count * MASK_BYTES.length);
  let at = from;
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    const span = spans[index];
    if (span === undefined) break;
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
