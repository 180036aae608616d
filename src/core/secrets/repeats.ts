// Text that repeats itself, found by comparing whole stretches of memory: a million blanks or one mark after another take
// as long to pass over as to copy. Where the same bytes stand once more, the same is found there.

/** From `at` on every byte is the one that stands `period` bytes before it, up to `end`. */
interface Repeat {
  readonly period: number;
  readonly end: number;
}

const MAX_PERIOD = 512;
/** So many bytes must have stood before, for the comparison to be worth it. */
const TRACE_BYTES = 64;
const FIRST_STEP = 1024;
const MAX_STEP = 1 << 16;
const MIN_STEP = 32;

/** Null where the bytes before `at` stand nowhere shortly before, or do not go on so. */
export function findRepeat(bytes: Uint8Array, at: number): Repeat | null {
  const begin = at - TRACE_BYTES;
  if (begin < 1 || at >= bytes.length) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const from = Math.max(0, begin - MAX_PERIOD);
  const found = text.subarray(from, at - 1).lastIndexOf(text.subarray(begin, at));
  if (found === -1) return null;
  const period = begin - from - found;
  const end = findEnd(text, at, period);
  return end === at ? null : { period, end };
}

function findEnd(text: Buffer, at: number, period: number): number {
  let end = at;
  for (let step = FIRST_STEP; end < text.length; ) {
    const next = Math.min(text.length, end + step);
    const isSame = text.compare(text, end - period, next - period, end, next) === 0;
    if (isSame) end = next;
    else if (step <= MIN_STEP) break;
    step = isSame ? Math.min(step * 2, MAX_STEP) : step >> 1;
  }
  return end;
}

/** True where the bytes before `at`, `length` of them, are those that stand a period before them. */
function repeatsSince(bytes: Uint8Array, at: number, period: number, length: number): boolean {
  const begin = at - length;
  if (begin < period) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.compare(text, begin - period, at - period, begin, at) === 0;
}

/** How many bytes from `at` on are whole periods more of what stood there twice; 0 where it repeats nothing. */
export function findPeriods(bytes: Uint8Array, at: number): { period: number; bytes: number } {
  const repeat = findRepeat(bytes, at);
  if (repeat === null || !repeatsSince(bytes, at, repeat.period, repeat.period))
    return { period: 0, bytes: 0 };
  const { period, end } = repeat;
  return { period, bytes: Math.floor((end - at) / period) * period };
}

/** No form looks farther back than this, nor, beyond the runs of one alphabet, farther ahead. */
const LOOK_BACK = 192;
const LOOK_AHEAD = 5 * 1024;

/**
 * Where to go on: behind what repeats the bytes in which nothing was found. A form that found nothing finds nothing one
 * period later: it sees the same bytes or, in a run without end, fewer of them.
 */
export function skipRepeat(bytes: Uint8Array, at: number, cleanFrom: number): number {
  if (at - LOOK_BACK <= cleanFrom) return at;
  const repeat = findRepeat(bytes, at);
  if (repeat === null || repeat.end - LOOK_AHEAD <= at) return at;
  const isClean = at - repeat.period - LOOK_BACK >= cleanFrom;
  return isClean && repeatsSince(bytes, at, repeat.period, LOOK_BACK)
    ? repeat.end - LOOK_AHEAD
    : at;
}
