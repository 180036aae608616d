// Bytes of an agent's streams: cut into lines, taken apart into JSON records, or only the end of them.

import { createUtf8Decoder } from "../../../core/process/decode-utf8.ts";
import { isRecord, type JsonRecord, parseJson } from "../../../core/project/json-value.ts";

/** What lines turned out to be: JSON objects, or none. The lines stay at hand in both cases. */
export interface Reading {
  readonly records: readonly JsonRecord[];
  readonly lines: readonly string[];
}

const NO_RECORDS: readonly JsonRecord[] = [];
const NO_READINGS: readonly Reading[] = [];
const MAX_DOCUMENT_LENGTH = 16 * 1024 * 1024;
const OPEN_BRACE = "{".charCodeAt(0);

/**
 * Takes JSON out of lines: one object a line, one array of objects a line, or one object printed over
 * many lines with its braces at the margin.
 */
export class RecordReader {
  #document: string[] = [];
  #length = 0;

  /** Inside an object that spans lines. */
  get isOpen(): boolean {
    return this.#document.length > 0;
  }

  /** Gives nothing while an object over several lines is still open. */
  readLine(line: string): readonly Reading[] {
    if (this.isOpen && /^[\s}]/.test(line)) return this.#extend(line);
    // Inside an object only its last brace stands at the margin: this was none.
    const broken = this.end();
    const found = line.trimEnd() === "{" ? this.#extend(line) : [readSingle(line)];
    return broken.length === 0 ? found : [...broken, ...found];
  }

  /** What is left of an object that never closed. */
  end(): readonly Reading[] {
    return this.isOpen ? [{ records: NO_RECORDS, lines: this.#close() }] : NO_READINGS;
  }

  #extend(line: string): readonly Reading[] {
    this.#document.push(line);
    this.#length += line.length;
    if (this.#length > MAX_DOCUMENT_LENGTH) return this.end();
    if (line.trimEnd() !== "}") return NO_READINGS;
    const lines = this.#close();
    const record = parseObject(lines.join("\n"));
    return [{ records: record === null ? NO_RECORDS : [record], lines }];
  }

  #close(): readonly string[] {
    const lines = this.#document;
    this.#document = [];
    this.#length = 0;
    return lines;
  }
}

/** The object that a text is, null where it is none. */
export function parseObject(text: string): JsonRecord | null {
  if (text.charCodeAt(0) !== OPEN_BRACE || text.length < 3) return null;
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}

function readSingle(line: string): Reading {
  const lines = [line];
  // JSON may stand behind spaces or a byte order mark, which trimming takes too.
  const text = line.trim();
  if (text[0] !== "{" && text[0] !== "[") return { records: NO_RECORDS, lines };
  const value = parseJson(text);
  if (isRecord(value)) return { records: [value], lines };
  const isList = Array.isArray(value) && value.length > 0 && value.every(isRecord);
  return { records: isList ? value : NO_RECORDS, lines };
}

/**
 * Lines of a stream for a reader in a hurry: a chunk is decoded as a whole and cut as text, which is
 * measurably faster on short lines than decoding each by itself.
 */
export class TextLines {
  readonly #decoder = createUtf8Decoder();
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  /** A line grew over the limit: it is dropped up to its end. */
  readonly #onTooLong: () => void;
  #rest = "";
  #isDropping = false;

  constructor(options: {
    readonly limit: number;
    readonly onLine: (line: string) => void;
    readonly onTooLong: () => void;
  }) {
    this.#limit = options.limit;
    this.#onLine = options.onLine;
    this.#onTooLong = options.onTooLong;
  }

  push(bytes: Uint8Array): void {
    const text = this.#decoder.push(bytes);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#finish(text.slice(start, end));
      start = end + 1;
    }
    this.#keep(start === 0 ? text : text.slice(start));
  }

  end(): void {
    this.#keep(this.#decoder.end());
    if (this.#rest !== "" || this.#isDropping) this.#finish("");
  }

  #finish(piece: string): void {
    if (this.#isDropping) this.#isDropping = false;
    else this.#onLine(this.#rest === "" ? piece : this.#rest + piece);
    this.#rest = "";
  }

  #keep(piece: string): void {
    if (this.#isDropping || piece === "") return;
    this.#rest += piece;
    if (this.#rest.length <= this.#limit) return;
    this.#rest = "";
    this.#isDropping = true;
    this.#onTooLong();
  }
}

/** The last so many bytes of a stream, and no more. */
export class TailBytes {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push(Buffer.from(bytes));
    this.#length += bytes.length;
    // Twice the limit before it is cut down: each byte is copied a bounded number of times.
    if (this.#length > 2 * this.#limit) this.#trim();
  }

  text(): string {
    this.#trim();
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  #trim(): void {
    const tail = Buffer.concat(this.#pieces).subarray(-this.#limit);
    this.#pieces = [Buffer.from(tail)];
    this.#length = tail.length;
  }
}
