// A file as numbered lines, read in pieces: neither its length nor that of a line matters to memory.
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import type { LineBook } from "./line-book.ts";

const PIECE = 256 * 1024;
const LINE_FEED = 10;
/** In place of a line's end: a last line without one is another line. */
const NO_LINE_FEED = 256;

/** A link is never followed: it is a line that says where it leads. */
export async function readLines(path: string, book: LineBook): Promise<Int32Array> {
  const collected = new CollectedLines(book);
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) collected.add(readlinkSync(path, { encoding: "buffer" }));
  else if (stats.isFile() && stats.size <= PIECE) collected.add(readFileSync(path));
  else if (stats.isFile()) await readFileInto(collected, path);
  return collected.take();
}

async function readFileInto(collected: CollectedLines, path: string): Promise<void> {
  await using file = await open(path);
  const piece = Buffer.allocUnsafe(PIECE);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, PIECE, null);
    if (bytesRead === 0) return;
    collected.add(piece.subarray(0, bytesRead));
  }
}

const SEEDS = [0xdeadbeef, 0x41c6ce57] as const;

/** Hashed as by cyrb53: two numbers of 32 bits, mixed at the end of a line to one of 53. */
class CollectedLines {
  readonly #book: LineBook;
  #numbers = new Int32Array(256);
  #count = 0;
  #one: number = SEEDS[0];
  #other: number = SEEDS[1];
  #isOpen = false;

  constructor(book: LineBook) {
    this.#book = book;
  }

  add(bytes: Uint8Array): void {
    let one = this.#one;
    let other = this.#other;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) {
        this.#endLine(one, other);
        one = SEEDS[0];
        other = SEEDS[1];
      } else {
        one = Math.imul(one ^ byte, 2_654_435_761);
        other = Math.imul(other ^ byte, 1_597_334_677);
      }
    }
    this.#one = one;
    this.#other = other;
    if (bytes.length > 0) this.#isOpen = bytes.at(-1) !== LINE_FEED;
  }

  take(): Int32Array {
    if (this.#isOpen)
      this.#endLine(
        Math.imul(this.#one ^ NO_LINE_FEED, 2_654_435_761),
        Math.imul(this.#other ^ NO_LINE_FEED, 1_597_334_677),
      );
    return this.#numbers.subarray(0, this.#count);
  }

  #endLine(one: number, other: number): void {
    if (this.#count === this.#numbers.length) {
      const longer = new Int32Array(this.#count * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#count++] = this.#book.numberOf(mix(one, other));
  }
}

function mix(one: number, other: number): number {
  const low =
    Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  const high =
    Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & high) + (low >>> 0);
}
