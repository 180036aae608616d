// Bytes of an agent's stdout become events. A line that is JSON goes to the agent's dialect; one that is
// not is plain text or noise, which the format decides.

import type { JsonRecord } from "../../../core/project/json-value.ts";
import {
  type DeltaEvent,
  type EventSink,
  errorEvent,
  type LogEvent,
  NO_EVENTS,
} from "../../log/event.ts";
import { AnsiStripper, countCharacters, MAX_MESSAGE_LENGTH } from "../../log/text.ts";
import type { OutputFormat } from "../adapter.ts";
import { parseObject, type Reading, RecordReader, TextLines } from "./lines.ts";
import { PlainLines } from "./plain.ts";

/** A line of more characters is not read: what is held stays small whatever the agent prints. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const TOO_LONG = errorEvent("PARSE_ERROR", `a line is longer than ${MAX_LINE_LENGTH} characters`);

/** Turns stdout into events: a state machine without effects, one per run. */
export class OutputParser {
  readonly #dialect: OutputDialect;
  readonly #plain: PlainLines;
  readonly #lines = new TextLines({
    limit: MAX_LINE_LENGTH,
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

  /** Hands on the events of an object that somebody else cut out of the stream. */
  read(record: JsonRecord): void {
    this.#emit(this.#dialect.readRecord(record));
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

/** Reads one agent's output in its own words; a state machine without effects, one per run. */
export interface OutputDialect {
  /** Whether this is one of the agent's own events, and not an answer that happens to be JSON. */
  readonly recognizes: (record: JsonRecord) => boolean;
  /** One JSON object of stdout. */
  readRecord(record: JsonRecord): readonly LogEvent[];
  /** What only the end of the output makes known. */
  finish(): readonly LogEvent[];
  /** The clean tail of stderr, once the run is over. */
  readStderr?(text: string, format: "structured" | "text"): readonly LogEvent[];
  /** The agent's report file, as text. */
  readReport?(text: string): readonly LogEvent[];
}

/** The dialect of an agent whose output is all plain text. */
export const PLAIN_DIALECT: OutputDialect = {
  recognizes: () => false,
  readRecord: () => NO_EVENTS,
  finish: () => NO_EVENTS,
};

/**
 * Makes messages of deltas. Some agents repeat a streamed answer as a whole message, some never do,
 * and a cut run has only its deltas; behind this stage every answer is exactly one message. An answer
 * that was cut and is asked for again begins anew: what came of the first try is kept only until then.
 */
export class DeltaJoiner {
  readonly #sink: EventSink;
  #first: DeltaEvent | null = null;
  #text = "";
  #leftOut = 0;
  #isCut = false;
  #ansi = new AnsiStripper();

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  push(event: LogEvent): void {
    if (event.kind === "retry") this.#isCut = true;
    if (event.kind === "delta" && event.channel === "answer") this.#add(event);
    else if (this.#first === null || !ENDS_ANSWER.has(event.kind)) this.#sink(event);
    else if (event.kind === "message" && event.role === "assistant") {
      this.#reset();
      this.#sink({ ...event, isStreamed: true });
    } else {
      this.end();
      this.#sink(event);
    }
  }

  end(): void {
    if (this.#first === null) return;
    const { at, parent } = this.#first;
    const leftOut = this.#leftOut === 0 ? {} : { leftOut: this.#leftOut };
    const message = { role: "assistant", content: this.#text, ...leftOut } as const;
    this.#reset();
    this.#sink({ kind: "message", ...message, at, parent, isStreamed: true });
  }

  #add(delta: DeltaEvent): void {
    if (this.#isCut) this.#reset();
    if (this.#first !== null && this.#first.parent !== delta.parent) this.end();
    this.#first ??= delta;
    const text = this.#ansi.push(delta.text);
    // A little over the limit is enough to show later that something was left out; of the rest only the length.
    if (this.#text.length <= MAX_MESSAGE_LENGTH) this.#text += text;
    else this.#leftOut += countCharacters(text);
    this.#sink(delta);
  }

  #reset(): void {
    this.#first = null;
    this.#text = "";
    this.#leftOut = 0;
    this.#isCut = false;
    this.#ansi = new AnsiStripper();
  }
}

const ENDS_ANSWER: ReadonlySet<LogEvent["kind"]> = new Set<LogEvent["kind"]>([
  "message",
  "tool_call",
  "tool_result",
  "final",
]);
