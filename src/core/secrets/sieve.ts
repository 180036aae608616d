// Finds the places of a text where three bytes of some mark may stand. It steps over the bytes two by two, and nearly always
// by one look at one table: a branch that ordinary words take every tenth time would cost more than all the rest.

export type Triple = readonly [number, number, number];

export interface Sieve {
  /**
   * For each two bytes, of which the second counts 256, in four times eight bits: in which groups is the byte that may
   * follow them in a triple; the group of the second; the group of the first; in which groups is the byte that may stand
   * before them. A triple may stand where the lower half of one entry and the upper half of the next have a bit in common.
   */
  readonly joints: Int32Array;
  /** For three bytes, by `placeOf`, the number that was given to their place; 0 where no triple has it. */
  readonly places: Uint16Array;
}

/** Of two bytes that differ only as capital and small letter do. */
const groupOf = (byte: number): number => 1 << (byte & 7);

const placeOf = (a: number, b: number, c: number): number =>
  (a * 4_129 + b * 257 + c * 31) & 0xffff;

/** After so many pairs the groups come again. */
const GROUP_PAIRS = 8 << 8;

export function createSieve(): Sieve {
  const joints = new Int32Array(1 << 16);
  for (let pair = 0; pair < GROUP_PAIRS; pair += 1)
    joints[pair] = (groupOf(pair >> 8) << 8) | (groupOf(pair & 0xff) << 16);
  for (let done = GROUP_PAIRS; done < joints.length; done *= 2) joints.copyWithin(done, 0, done);
  return { joints, places: new Uint16Array(1 << 16) };
}

/** The number of the triple's place: `next`, where it has none yet. */
export function addTriple({ joints, places }: Sieve, [a, b, c]: Triple, next: number): number {
  const head = (b << 8) | a;
  const tail = (c << 8) | b;
  joints[head] = (joints[head] ?? 0) | groupOf(c);
  joints[tail] = (joints[tail] ?? 0) | (groupOf(a) << 24);
  const place = placeOf(a, b, c);
  const number = places[place] || next;
  places[place] = number;
  return number;
}

/** The number of the place that the three bytes from `at` on have; 0 for none. */
export function numberAt({ places }: Sieve, bytes: Uint8Array, at: number): number {
  if (at < 0 || at + 2 >= bytes.length) return 0;
  return places[placeOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)] ?? 0;
}

/** The bytes as numbers of two, from the first even address on. */
export function viewPairs({ buffer, byteOffset, length }: Uint8Array): Uint16Array {
  const odd = byteOffset & 1;
  return new Uint16Array(buffer, byteOffset + odd, Math.max(0, length - odd) >> 1);
}

/**
 * Where a triple may begin, there or one byte later, from `from` on; `stop` where it would not be before it, -1 where the
 * text ends first. Those that the pairs do not cover, with the byte of an odd address and with a last one, are left out.
 */
export function nextTriple(
  sieve: Sieve,
  bytes: Uint8Array,
  pairs: Uint16Array,
  from: number,
  stop: number,
): number {
  const odd = bytes.byteOffset & 1;
  const last = Math.min(pairs.length, ((stop - odd) >> 1) + 1);
  for (let pair = Math.max(1, ((from - odd) >> 1) + 1); ; pair += 1) {
    pair = nextJoint(sieve.joints, pairs, pair, last);
    if (pair >= last) return last < pairs.length ? stop : -1;
    const at = pair * 2 - 2 + odd;
    if (numberAt(sieve, bytes, at) !== 0 || numberAt(sieve, bytes, at + 1) !== 0) return at;
  }
}

/** The next pair that may make a triple with the one before it. */
function nextJoint(joints: Int32Array, pairs: Uint16Array, from: number, last: number): number {
  let before = joints[pairs[from - 1] ?? 0] ?? 0;
  for (let pair = from; pair < last; pair += 1) {
    const joint = joints[pairs[pair] ?? 0] ?? 0;
    if ((before & (joint >>> 16)) !== 0) return pair;
    before = joint;
  }
  return last;
}
