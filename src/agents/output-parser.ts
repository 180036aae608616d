// Bytes of an agent's stdout → events. A line that is JSON goes to the agent's dialect; one that is
// not is plain text or noise, which the format decides.
import { createLineSplitter, type Line } from "../process/split-lines.ts";
import type { OutputFormat } from "./adapter.ts";
import { createDeltaJoiner } from "./join-deltas.ts";
import { errorEvent, type LogEvent } from "./log-event.ts";
import type { OutputDialect } from "./output-dialect.ts";
import { PlainLines } from "./plain-lines.ts";
import { createRecordReader, type Reading } from "./record-reader.ts";

/** A line longer than this is not read: what is held stays small whatever the agent prints. */
const LINE_LIMIT = 16 * 1024 * 1024;

/** A state machine without effects, one per run. */
export class OutputParser {
  readonly #dialect: OutputDialect;
  readonly #plain: PlainLines;
  readonly #splitter = createLineSplitter(LINE_LIMIT);
  readonly #records = createRecordReader();
  readonly #joiner = createDeltaJoiner();
  #events: LogEvent[] = [];

  constructor(dialect: OutputDialect, format: OutputFormat) {
    this.#dialect = dialect;
    this.#plain = new PlainLines(format);
  }

  /** What the output turned out to be; `auto` while nothing has decided it. */
  get format(): OutputFormat {
    return this.#plain.format;
  }

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly LogEvent[] {
    for (const line of this.#splitter.push(bytes)) this.#readLine(line);
    return this.#take();
  }

  end(): readonly LogEvent[] {
    const rest = this.#splitter.end();
    if (rest !== null) this.#readLine(rest);
    for (const reading of this.#records.end()) this.#readReading(reading);
    this.#emit(this.#plain.end());
    if (this.#plain.format === "structured") this.#emit(this.#dialect.finish());
    return [...this.#take(), ...this.#joiner.end()];
  }

  #readLine({ text, isCut }: Line): void {
    if (isCut) this.#emit([errorEvent("PARSE_ERROR", `a line is longer than ${LINE_LIMIT} bytes`)]);
    else if (this.#plain.format === "text") this.#emit(this.#plain.read(text));
    else for (const reading of this.#records.readLine(text)) this.#readReading(reading);
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
    for (const event of found)
      for (const joined of this.#joiner.push(event)) this.#events.push(joined);
  }

  #take(): readonly LogEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }
}
