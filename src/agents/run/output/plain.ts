// Lines of stdout that are no events: the answer itself in plain text, else noise.
import { answerDelta, errorEvent, initEvent, type LogEvent, NO_EVENTS } from "../../log/event.ts";
import { capText, MAX_MESSAGE_LENGTH, stripAnsi } from "../../log/text.ts";
import { UNKNOWN_USAGE, type UsageFigures } from "../../log/usage.ts";
import type { OutputFormat } from "../adapter.ts";

/** While the format is open, this many characters of text wait for the first event. */
const MAX_HELD_LENGTH = 1024 * 1024;
const MAX_NOISE_LENGTH = 200;
const MAX_NOISE_RECORDS = 20;

/** Decides what a plain line is, once the format is known; noise is reported, within limits. */
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
    const events = this.format === "auto" ? this.#decideEnd() : [];
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
    return this.#heldLength > MAX_HELD_LENGTH ? this.#decideEnd() : NO_EVENTS;
  }

  /** No event came. JSON that breaks off is an event that was cut, and no answer. */
  #decideEnd(): LogEvent[] {
    const cut = findCutJson(this.#held);
    if (cut === null) return this.#decide("text");
    this.#held = this.#held.slice(0, cut.from);
    const shown = capText(cut.text, MAX_NOISE_LENGTH);
    return [
      ...this.#decide("structured"),
      errorEvent("PARSE_ERROR", `the output breaks off within JSON: ${shown}`),
    ];
  }

  #decide(format: OutputFormat): LogEvent[] {
    this.format = format;
    const lines = this.#held;
    this.#held = [];
    return lines.flatMap((line) => this.#readDecided(line));
  }

  #readDecided(line: string): readonly LogEvent[] {
    if (this.format === "text") return this.#text.readLine(stripAnsi(line).replace(/\r$/, ""));
    if (line.trim() === "" || ++this.#noise > MAX_NOISE_RECORDS) return NO_EVENTS;
    const shown = capText(stripAnsi(line).trim(), MAX_NOISE_LENGTH);
    return [errorEvent("PARSE_ERROR", `a line of the output is not JSON: ${shown}`)];
  }
}

/** Where an object begins, on its line or over several, that these lines do not end. */
function findCutJson(
  lines: readonly string[],
): { readonly from: number; readonly text: string } | null {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const document = lines.findIndex((line) => line.trimEnd() === "{");
  for (const from of [last, document]) {
    if (from < 0) continue;
    const text = stripAnsi(lines.slice(from).join("\n")).trim();
    if (/^\[?\s*\{\s*(?:"|$)/.test(text) && isOpenJson(text)) return { from, text };
  }
  const whole = stripAnsi(lines.join("\n")).trim();
  return whole === "[" ? { from: 0, text: whole } : null;
}

/** Whether an object or a list is still open at the end: a cut may also fall behind a bracket that closes an inner one. */
function isOpenJson(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/gs))
    if (!part.startsWith('"')) depth += part === "{" || part === "[" ? 1 : -1;
  return depth > 0;
}

// Plain-text output, understood as far as it goes: what old versions, `--output-format text` and any
// other program print. The whole text is the answer; figures are read only from lines that name them.

const MODEL = /^\s*(?:using )?model:\s*(\S.*?)\s*$/i;
const VERSION =
  /\bclaude code (?:cli )?v(\d+\.\d+[\w.-]*)|^\s*(\d+\.\d+\.\d+[\w.-]*) \(claude code\)/i;
const TOKENS = /\b(input|output)[ _]tokens?:\s*([\d][\d,_]*)/gi;
const TOOL = /^\s*\[tool:\s*([\w.:-]+)\s*\]\s*(.*)$/i;

interface TextReader {
  readLine(line: string): readonly LogEvent[];
  finish(): readonly LogEvent[];
}

/** Reads clean lines. Every line is also an answer delta, so that text streams like any answer. */
function createTextReader(): TextReader {
  let tools = 0;
  let length = 0;
  let usage: UsageFigures = UNKNOWN_USAGE;

  function readFacts(line: string): LogEvent[] {
    const events: LogEvent[] = [];
    const model = MODEL.exec(line)?.[1];
    const version = VERSION.exec(line);
    if (model !== undefined) events.push(initEvent({ model }));
    if (version !== null)
      events.push(initEvent({ agentVersion: version[1] ?? version[2] ?? null }));
    for (const match of line.matchAll(TOKENS)) usage = { ...usage, ...readTokens(match) };
    return events;
  }

  return {
    readLine(line) {
      const tool = TOOL.exec(line);
      if (tool !== null) return [describeTool(tool, ++tools)];
      const isFirst = length === 0;
      length += line.length + 1;
      return [...readFacts(line), answerDelta(isFirst ? line : `\n${line}`)];
    },
    finish() {
      if (usage === UNKNOWN_USAGE) return NO_EVENTS;
      return [{ kind: "usage", figures: usage, costUsd: null, scope: "run", at: null }];
    },
  };
}

function readTokens([, side = "", written = ""]: RegExpExecArray): Partial<UsageFigures> {
  const count = Number(written.replace(/[,_]/g, ""));
  return side.toLowerCase() === "input" ? { input: count } : { output: count };
}

const describeTool = ([, name = "", written = ""]: RegExpExecArray, number: number): LogEvent => ({
  kind: "tool_call",
  id: `text-${number}`,
  name,
  arguments: capText(written.trim(), MAX_MESSAGE_LENGTH),
  at: null,
});

/** What a line that stands for cut output begins with. */
const TRUNCATION_MARK = "[OUTPUT TRUNCATED";

export const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;

export const truncationLine = (limitBytes: number): string =>
  `${TRUNCATION_MARK} at ${limitBytes} bytes]`;

/** The mark alone on its line; the same words inside a text are only words. */
const isTruncationLine = (line: string): boolean =>
  line.startsWith(TRUNCATION_MARK) && line.trimEnd().endsWith("]");
