import { isRecord, type JsonRecord } from "./json-fields.ts";

/** What lines turned out to be: JSON objects, or none. The lines stay at hand in both cases. */
export interface Reading {
  readonly records: readonly JsonRecord[];
  readonly lines: readonly string[];
}

const NO_RECORDS: readonly JsonRecord[] = [];
const NO_READINGS: readonly Reading[] = [];
const DOCUMENT_LIMIT = 16 * 1024 * 1024;
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

  /** None while an object over several lines is still open. */
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
    if (this.#length > DOCUMENT_LIMIT) return this.end();
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
