import { isRecord, type JsonRecord } from "./json-fields.ts";

/** What lines turned out to be: JSON objects, or none. The lines stay at hand in both cases. */
export interface Reading {
  readonly records: readonly JsonRecord[];
  readonly lines: readonly string[];
}

export interface RecordReader {
  /** None while a document over several lines is still open. */
  readLine(line: string): readonly Reading[];
  /** What is left of a document that never closed. */
  end(): readonly Reading[];
}

const NO_RECORDS: readonly JsonRecord[] = [];
const NO_READINGS: readonly Reading[] = [];
const DOCUMENT_LIMIT = 16 * 1024 * 1024;
const OPEN_BRACE = "{".charCodeAt(0);
const OPEN_BRACKET = "[".charCodeAt(0);

/**
 * Takes JSON out of lines: one object a line, one array of objects a line, or one object printed over
 * many lines with its braces at the margin.
 */
export function createRecordReader(): RecordReader {
  let document: string[] = [];
  let length = 0;

  function close(): readonly string[] {
    const lines = document;
    document = [];
    length = 0;
    return lines;
  }

  function abandon(): readonly Reading[] {
    return document.length === 0 ? NO_READINGS : [{ records: NO_RECORDS, lines: close() }];
  }

  function extend(line: string): readonly Reading[] {
    document.push(line);
    length += line.length;
    if (length > DOCUMENT_LIMIT) return abandon();
    if (line.trimEnd() !== "}") return NO_READINGS;
    const lines = close();
    const record = parseJson(lines.join("\n"));
    return [{ records: isRecord(record) ? [record] : NO_RECORDS, lines }];
  }

  return {
    readLine(line) {
      if (document.length > 0 && /^[\s}]/.test(line)) return extend(line);
      // Inside a document only its last brace stands at the margin: this one was none.
      const broken = abandon();
      const found = line.trimEnd() === "{" ? extend(line) : [readSingle(line)];
      return broken.length === 0 ? found : [...broken, ...found];
    },
    end: abandon,
  };
}

function readSingle(line: string): Reading {
  const lines = [line];
  // JSON may stand behind spaces or a byte order mark.
  const first = line.charCodeAt(0) > 0x20 ? line.charCodeAt(0) : line.trimStart().charCodeAt(0);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET && first !== 0xfeff)
    return { records: NO_RECORDS, lines };
  const value = parseJson(first === 0xfeff ? line.trim() : line);
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
