// Bytes of an agent's stdout → events. A line that is JSON goes to the agent's dialect; one that is
// not is plain text or noise, which the format decides.
import type { OutputFormat } from "./adapter.ts";
import { DeltaJoiner } from "./join-deltas.ts";
import { type EventSink, errorEvent, type LogEvent } from "./log-event.ts";
import type { OutputDialect } from "./output-dialect.ts";
import { PlainLines } from "./plain-lines.ts";
import { parseObject, type Reading, RecordReader } from "./record-reader.ts";
import { TextLines } from "./text-lines.ts";

/** A line of more characters is not read: what is held stays small whatever the agent prints. */
const LINE_LIMIT = 16 * 1024 * 1024;
const TOO_LONG = errorEvent("PARSE_ERROR", `a line is longer than ${LINE_LIMIT} characters`);

/** A state machine without effects, one per run. */
export class OutputParser {
  readonly #dialect: OutputDialect;
  readonly #plain: PlainLines;
  readonly #lines = new TextLines({
    limit: LINE_LIMIT,
    onLine: (line) => this.#readLine(line),
    onTooLong: () => this.#emit([TOO_LONG]),
  });
  readonly #records = new RecordReader();
  readonly #joiner: DeltaJoiner;

  constructor(dialect: OutputDialect, format: OutputFormat, sink: EventSink) {
    this.#dialect = dialect;
    this.#joiner = new DeltaJoiner(sink);
    this.#plain = new PlainLines(format);
  }

  /** What the output turned out to be; `auto` while nothing has decided it. */
  get format(): OutputFormat {
    return this.#plain.format;
  }

  /** Hands on the events that these bytes complete. */
  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
    for (const reading of this.#records.end()) this.#readReading(reading);
    this.#emit(this.#plain.end());
    if (this.#plain.format === "structured") this.#emit(this.#dialect.finish());
    this.#joiner.end();
  }

  #readLine(line: string): void {
    if (this.#plain.format === "text") this.#emit(this.#plain.read(line));
    else if (!this.#readEvent(line))
      for (const reading of this.#records.readLine(line)) this.#readReading(reading);
  }

  /** The usual line of a stream, without a detour. */
  #readEvent(line: string): boolean {
    if (this.#plain.format !== "structured" || this.#records.isOpen) return false;
    const record = parseObject(line);
    if (record === null) return false;
    if (this.#plain.hasMark) this.#emit(this.#plain.readEvent());
    this.#emit(this.#dialect.readRecord(record));
    return true;
  }

  #readReading({ records, lines }: Reading): void {
    const isOpen = this.#plain.format === "auto";
    // An answer in plain text may itself be JSON: while the format is open, only known events count.
    const isKnown = records.length > 0 && (!isOpen || records.some(this.#dialect.recognizes));
    if (!isKnown) {
      for (const line of lines) this.#emit(this.#plain.read(line));
      return;
    }
    this.#emit(this.#plain.readEvent());
    for (const record of records) this.#emit(this.#dialect.readRecord(record));
  }

  #emit(found: readonly LogEvent[]): void {
    for (let at = 0; at < found.length; at++) {
      const event = found[at];
      if (event !== undefined) this.#joiner.push(event);
    }
  }
}
