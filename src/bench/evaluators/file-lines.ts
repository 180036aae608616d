// How many lines two files have in common, in the same order, compared by the `diff` package. A file is read in
// pieces and a line is a hash: neither the length of a file nor that of a line matters to memory.
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { diffArrays } from "diff";

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
  /** Lines that both have in the same order. */
  readonly common: number;
}

/** Null for a file that is not there. */
export async function compareFileLines(
  one: string | null,
  other: string | null,
): Promise<LineChanges> {
  const before = one === null ? [] : await readLines(one);
  const after = other === null ? [] : await readLines(other);
  const common = countCommonLines(before, after);
  return { added: after.length - common, removed: before.length - common, common };
}

/** Past so many edits among lines that both have, `diff` would take time by the square. */
const MAX_EDITS = 2_000;

export function countCommonLines(before: readonly number[], after: readonly number[]): number {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [old, now] = keepShared(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  return head + tail + countBetween(old, now);
}

/** A line that only one side has is in no common sequence; two files without one in common are compared at once. */
function keepShared(before: readonly number[], after: readonly number[]): [number[], number[]] {
  const [old, now] = [new Set(before), new Set(after)];
  return [before.filter((line) => now.has(line)), after.filter((line) => old.has(line))];
}

function countBetween(before: number[], after: number[]): number {
  if (before.length === 0 || after.length === 0) return 0;
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return countPairsInOrder(before, after);
  return changes.reduce(
    (sum, { added, removed, count }) => (added || removed ? sum : sum + count),
    0,
  );
}

/**
 * A common sequence that need not be the longest: each line is paired with the same line that is there as often
 * before it, and as many pairs count as rise on both sides. A file turned upside down has one line in common.
 */
function countPairsInOrder(before: readonly number[], after: readonly number[]): number {
  const indexesOf = new Map<number, number[]>();
  for (const [at, line] of after.toReversed().entries()) {
    const known = indexesOf.get(line);
    if (known === undefined) indexesOf.set(line, [after.length - 1 - at]);
    else known.push(after.length - 1 - at);
  }
  /** By length: the lowest end of a rising part that long. */
  const ends: number[] = [];
  for (const line of before) {
    const index = indexesOf.get(line)?.pop();
    if (index !== undefined) ends[findFirstAbove(ends, index)] = index;
  }
  return ends.length;
}

function findFirstAbove(rising: readonly number[], value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** A hash for each line. A link is never followed: it is a line that says where it leads. */
async function readLines(path: string): Promise<number[]> {
  const collected = new CollectedLines();
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) collected.add(readlinkSync(path, { encoding: "buffer" }));
  else if (stats.isFile() && stats.size <= PIECE_BYTES) collected.add(readFileSync(path));
  else if (stats.isFile()) await readFileInto(collected, path);
  return collected.take();
}

async function readFileInto(collected: CollectedLines, path: string): Promise<void> {
  await using file = await open(path);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return;
    collected.add(piece.subarray(0, bytesRead));
  }
}

// A line is told by two hashes of different make: FNV-1a with 32 bits, and 21 bits of a polynomial.
const FNV_BASIS = 2_166_136_261;
const FNV_PRIME = 16_777_619;
const POLYNOMIAL_BASE = 1_000_003;

class CollectedLines {
  readonly #lines: number[] = [];
  #fnv = FNV_BASIS;
  #polynomial = 0;
  #isOpen = false;

  add(bytes: Uint8Array): void {
    let fnv = this.#fnv;
    let polynomial = this.#polynomial;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) {
        this.#lines.push(join53(fnv, polynomial));
        fnv = FNV_BASIS;
        polynomial = 0;
      } else {
        fnv = Math.imul(fnv ^ byte, FNV_PRIME);
        polynomial = (Math.imul(polynomial, POLYNOMIAL_BASE) + byte + 1) | 0;
      }
    }
    this.#fnv = fnv;
    this.#polynomial = polynomial;
    if (bytes.length > 0) this.#isOpen = bytes.at(-1) !== LINE_FEED;
  }

  take(): number[] {
    // A last line without its end is another line.
    if (this.#isOpen) this.#lines.push(join53(Math.imul(this.#fnv, FNV_PRIME), ~this.#polynomial));
    return this.#lines;
  }
}

const join53 = (low: number, high: number): number => (high >>> 11) * 2 ** 32 + (low >>> 0);
