// A file as numbered lines, read in pieces: neither its length nor that of a line matters to memory.
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import type { LineBook } from "./line-book.ts";

const PIECE = 256 * 1024;
const LINE_FEED = 10;

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

// A line is told by two hashes of different make: FNV-1a with 32 bits, and 21 bits of a polynomial.
const FNV_BASIS = 2_166_136_261;
const FNV_PRIME = 16_777_619;
const POLYNOMIAL_BASE = 1_000_003;

class CollectedLines {
  readonly #book: LineBook;
  #numbers = new Int32Array(256);
  #count = 0;
  #fnv = FNV_BASIS;
  #polynomial = 0;
  #isOpen = false;

  constructor(book: LineBook) {
    this.#book = book;
  }

  add(bytes: Uint8Array): void {
    let fnv = this.#fnv;
    let polynomial = this.#polynomial;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) {
        this.#endLine(fnv, polynomial);
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

  take(): Int32Array {
    // A last line without its end is another line.
    if (this.#isOpen) this.#endLine(Math.imul(this.#fnv, FNV_PRIME), ~this.#polynomial);
    return this.#numbers.subarray(0, this.#count);
  }

  #endLine(fnv: number, polynomial: number): void {
    if (this.#count === this.#numbers.length) {
      const longer = new Int32Array(this.#count * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#count++] = this.#book.numberOf(join53(fnv, polynomial));
  }
}

const join53 = (low: number, high: number): number => (high >>> 11) * 2 ** 32 + (low >>> 0);
