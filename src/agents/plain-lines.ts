import type { OutputFormat } from "./adapter.ts";
import { capText } from "./cap-text.ts";
import { errorEvent, type LogEvent, NO_EVENTS } from "./log-event.ts";
import { stripAnsi } from "./strip-ansi.ts";
import { createTextReader } from "./text-output.ts";
import { isTruncationLine } from "./truncation.ts";

/** While the format is open, this many characters of text wait for the first event. */
const HELD_LIMIT = 1024 * 1024;
const NOISE_SHOWN = 200;
const NOISE_RECORDS = 20;

/** The lines of stdout that are no events: the answer itself in plain text, else noise to be reported. */
export class PlainLines {
  format: OutputFormat;
  readonly #text = createTextReader();
  #held: string[] = [];
  #heldLength = 0;
  #noise = 0;
  #mark: string | null = null;

  constructor(format: OutputFormat) {
    this.format = format;
  }

  /** The last line may have been the mark of a cut. */
  get hasMark(): boolean {
    return this.#mark !== null;
  }

  read(line: string): readonly LogEvent[] {
    const released = this.#releaseMark();
    if (!isTruncationLine(line)) {
      const events = this.#readOpen(line);
      return released.length === 0 ? events : [...released, ...events];
    }
    this.#mark = line;
    return released;
  }

  /** An event has come, so whatever else is printed is noise. */
  readEvent(): readonly LogEvent[] {
    const released = this.#releaseMark();
    return this.format === "auto" ? [...released, ...this.#decide("structured")] : released;
  }

  end(): readonly LogEvent[] {
    const events = this.format === "auto" ? this.#decide("text") : [];
    if (this.format === "text") events.push(...this.#text.finish());
    if (this.#mark !== null) events.push(errorEvent("OUTPUT_TRUNCATED", "the output was cut"));
    return events;
  }

  /** A mark that something follows was not the mark of a cut. */
  #releaseMark(): readonly LogEvent[] {
    if (this.#mark === null) return NO_EVENTS;
    const line = this.#mark;
    this.#mark = null;
    return this.#readOpen(line);
  }

  #readOpen(line: string): readonly LogEvent[] {
    if (this.format !== "auto") return this.#readDecided(line);
    this.#held.push(line);
    this.#heldLength += line.length;
    return this.#heldLength > HELD_LIMIT ? this.#decide("text") : NO_EVENTS;
  }

  #decide(format: OutputFormat): LogEvent[] {
    this.format = format;
    const lines = this.#held;
    this.#held = [];
    return lines.flatMap((line) => this.#readDecided(line));
  }

  #readDecided(line: string): readonly LogEvent[] {
    if (this.format === "text") return this.#text.readLine(stripAnsi(line).replace(/\r$/, ""));
    if (line.trim() === "" || ++this.#noise > NOISE_RECORDS) return NO_EVENTS;
    const shown = capText(stripAnsi(line).trim(), NOISE_SHOWN);
    return [errorEvent("PARSE_ERROR", `a line of the output is not JSON: ${shown}`)];
  }
}
