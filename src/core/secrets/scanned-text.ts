// A piece of text while forms look at it: runs of a class of bytes, each walked once however many forms ask.
import { BLANK, BYTE_CLASSES, type ByteClass } from "./byte-classes.ts";
import { findPeriods, findRepeat } from "./repeats.ts";

interface Run {
  readonly byteClass: ByteClass;
  readonly begin: number;
  readonly end: number;
}

/** Between the two there is nothing of what is looked for. */
interface Stretch {
  readonly from: number;
  readonly at: number;
}

/** A mark inside a long run must not walk it once more, whatever other runs were walked since: no form has more parts. */
const REMEMBERED_RUNS = 32;
const LONG_RUN = 32;
const MAX_BLANKS = 8;
/** After so many bytes, more than any period that is looked for, it is looked whether they repeat themselves. */
const LOOK_BYTES = 1024;

/** A piece of text while it is scanned; how far runs of a class reach is found out once for each run. */
export class ScannedText {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  steps = 0;
  readonly #buffer: Buffer;
  readonly #runs: Run[] = [];
  #oldestRun = 0;
  /** No run that is remembered reaches farther. */
  #knownEnd = 0;
  readonly #next = new Map<ByteClass, Stretch>();
  #nextRun: Stretch = { from: 0, at: -1 };

  constructor(bytes: Uint8Array, isWhole: boolean) {
    this.bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.isWhole = isWhole;
  }

  /** The byte there, 0 outside. */
  at(index: number): number {
    return index >= 0 && index < this.bytes.length ? (this.bytes[index] ?? 0) : 0;
  }

  is(index: number, byteClass: ByteClass): boolean {
    return ((BYTE_CLASSES[this.at(index)] ?? 0) & byteClass) !== 0;
  }

  /** Where the run of a class ends that goes through `from`. */
  runEnd(from: number, byteClass: ByteClass): number {
    if (from < this.#knownEnd)
      for (const run of this.#runs)
        if (run.byteClass === byteClass && from >= run.begin && from < run.end) return run.end;
    const { bytes } = this;
    let end = from;
    for (let stop = from + LOOK_BYTES; end < bytes.length; stop = end + LOOK_BYTES) {
      const last = Math.min(bytes.length, stop);
      while (end < last && ((BYTE_CLASSES[bytes[end] ?? 0] ?? 0) & byteClass) !== 0) end += 1;
      if (end < last) break;
      this.steps += LOOK_BYTES;
      end = this.#skipRepeat(end);
    }
    this.steps += Math.min(LOOK_BYTES, end - from) + 1;
    if (end - from >= LONG_RUN) this.#remember({ byteClass, begin: from, end });
    return end;
  }

  /** The last bytes, more than one period of them, were all as wanted: so are those that repeat them. */
  #skipRepeat(at: number): number {
    return findRepeat(this.bytes, at)?.end ?? at;
  }

  #remember(run: Run): void {
    this.#runs[this.#oldestRun] = run;
    this.#knownEnd = Math.max(this.#knownEnd, run.end);
    this.#oldestRun = (this.#oldestRun + 1) % REMEMBERED_RUNS;
  }

  /** The first byte of a class from there on, the text's length where there is none; found once for each stretch. */
  next(from: number, byteClass: ByteClass): number {
    const known = this.#next.get(byteClass);
    if (known !== undefined && from >= known.from && from <= known.at) return known.at;
    const { bytes } = this;
    let at = from;
    for (let stop = from + LOOK_BYTES; at < bytes.length; stop = at + LOOK_BYTES) {
      const last = Math.min(bytes.length, stop);
      while (at < last && ((BYTE_CLASSES[bytes[at] ?? 0] ?? 0) & byteClass) === 0) at += 1;
      if (at < last) break;
      this.steps += LOOK_BYTES;
      at = this.#skipRepeat(at);
    }
    this.steps += Math.min(LOOK_BYTES, at - from) + 1;
    this.#next.set(byteClass, { from, at });
    return at;
  }

  /** The first run of a class that is at least so long and has one of another; the text's length where there is none. */
  nextRun(from: number, byteClass: ByteClass, length: number, holding: ByteClass): number {
    const known = this.#nextRun;
    if (from >= known.from && from <= known.at) return known.at;
    const { bytes } = this;
    let at = from;
    // What the run has of all classes: to ask for the one at each byte is a branch that nothing foresees.
    let seen = 0;
    let end = from;
    for (let stop = from + LOOK_BYTES; end < bytes.length; end += 1) {
      const classes = BYTE_CLASSES[bytes[end] ?? 0] ?? 0;
      if ((classes & byteClass) === 0) {
        if (end - at >= length && (seen & holding) !== 0) break;
        at = end + 1;
        seen = 0;
      } else seen |= classes;
      if (end < stop) continue;
      const { period, bytes: skipped } = findPeriods(bytes, end + 1);
      // A run that began in the last period begins anew in each; a longer one goes on.
      if (end + 1 - at < period) at += skipped;
      end += skipped;
      this.steps -= skipped;
      stop = end + LOOK_BYTES;
    }
    if ((seen & holding) === 0 || end - at < length) at = bytes.length;
    this.steps += end - from + 1;
    this.#nextRun = { from, at };
    return at;
  }

  /** Where the run of a class begins that ends before `before`, at most `most` bytes back. */
  runBegin(before: number, byteClass: ByteClass, most: number): number {
    let begin = before;
    while (begin > 0 && before - begin < most && this.is(begin - 1, byteClass)) begin -= 1;
    this.steps += before - begin + 1;
    return begin;
  }

  /** Behind some blanks, not more than stand between two words. */
  skipBlanks(from: number): number {
    let at = from;
    while (at - from < MAX_BLANKS && this.is(at, BLANK)) at += 1;
    this.steps += at - from + 1;
    return at;
  }

  /** The end of the text is reached there, and more of it may come. */
  isCutOff(index: number): boolean {
    return !this.isWhole && index >= this.bytes.length;
  }

  startsWith(word: string, at: number): boolean {
    for (let index = 0; index < word.length; index += 1)
      if (this.at(at + index) !== word.charCodeAt(index)) return false;
    return true;
  }

  /** Where the word stands next, up to `end`; -1 where it does not. */
  find(word: string, from: number, end: number): number {
    const at = this.#buffer.subarray(from, end).indexOf(word, 0, "latin1");
    this.steps += (at === -1 ? end - from : at) + 1;
    return at === -1 ? -1 : from + at;
  }

  slice(begin: number, end: number): string {
    this.steps += end - begin;
    return this.#buffer.toString("latin1", begin, end);
  }
}
