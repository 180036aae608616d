// Text of agents and tools: without escape sequences and within limits for the log (`stripAnsi`,
// `capText`), printable and cut to lines for transcripts (`cleanText`, `cutLines`).
import { countOf } from "./figures.ts";

// Escape sequences in every form a terminal takes: CSI, OSC and the other strings with either end,
// two- and three-character escapes, and the one-byte C1 forms. An unfinished one goes to its end.
const SEQUENCE = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?",
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "\\u001b[ -/]*[0-~]?",
    "[\\u0080-\\u009f]",
  ].join("|"),
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const SEQUENCE_START = /[\u001b\u0080-\u009f]/;

/** The text as a person would read it on the terminal. */
export const stripAnsi = (text: string): string =>
  SEQUENCE_START.test(text) ? text.replace(SEQUENCE, "") : text;

export const MAX_MESSAGE_LENGTH = 100_000;
export const MAX_RESULT_LENGTH = 50_000;
export const MAX_ARGUMENT_LENGTH = 50_000;

/** A text of at most so many characters and a note of what was left out, here or before; never half a character. */
export function capText(text: string, limit: number, leftOut = 0): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  const left = countCharacters(text.slice(end)) + leftOut;
  return `${text.slice(0, end)}\n[${left} more character${left === 1 ? "" : "s"} left out]`;
}

/** As a person counts: two halves are one, also where they come in two pieces. */
export const countCharacters = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);

/** Escape sequences taken out of text that comes in pieces: one that a piece may have cut waits for the next. */
export class AnsiStripper {
  #held = "";

  push(piece: string): string {
    if (this.#held === "" && !SEQUENCE_START.test(piece)) return piece;
    const text = this.#held + piece;
    const start = lastStart(text);
    const isOpen = start >= 0 && stripAnsi(text.slice(start)) === "";
    this.#held = isOpen && text.length - start <= MAX_HELD_SEQUENCE ? text.slice(start) : "";
    return stripAnsi(this.#held === "" ? text : text.slice(0, start));
  }
}

/** What is longer is no sequence that anybody means. */
const MAX_HELD_SEQUENCE = 8_192;

function lastStart(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (SEQUENCE_START.test(text.charAt(at))) return at;
  return -1;
}

/** A JSON value whose texts are all within the limit; the same value where nothing had to be cut. */
export function capValue(value: unknown, limit: number): unknown {
  if (typeof value === "string") return capText(value, limit);
  if (Array.isArray(value)) return capList(value, limit);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const capped = entries.map(([key, part]) => [key, capValue(part, limit)] as const);
  return capped.some(([, part], at) => part !== entries[at]?.[1])
    ? Object.fromEntries(capped)
    : value;
}

function capList(list: readonly unknown[], limit: number): unknown {
  const capped = list.map((part) => capValue(part, limit));
  return capped.some((part, at) => part !== list[at]) ? capped : list;
}

const LINE_END = /\r\n|[\r\u2028\u2029]/g;
// Controls move the cursor or are not allowed in HTML; direction marks make text read other than
// it is. A mark in their place shows that something was there.
const UNPRINTABLE = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from an agent or a tool as it may be shown: lines of printable characters. */
export const cleanText = (text: string): string =>
  stripAnsi(text).toWellFormed().replace(LINE_END, "\n").replace(UNPRINTABLE, "\ufffd");

/** Clean text on one line, with a mark where a line ended. */
export const cleanLine = (text: string): string =>
  cleanText(text).trim().replaceAll("\n", "⏎").replaceAll("\t", " ");

/** The lines of a text; its last line end does not begin another. */
export function splitLines(text: string): string[] {
  const lines = cleanText(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const MAX_LINE_LENGTH = 500;

/** The beginning and the end of a long output, which is where the news is, and a note between. */
export function cutLines(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit) return lines.map((line) => cutLine(line, MAX_LINE_LENGTH));
  const head = Math.ceil(limit / 2);
  const tail = limit - head;
  return [
    ...lines.slice(0, head).map((line) => cutLine(line, MAX_LINE_LENGTH)),
    `[${countOf(lines.length - limit, "line")} left out]`,
    ...lines.slice(lines.length - tail).map((line) => cutLine(line, MAX_LINE_LENGTH)),
  ];
}

/** A line of at most so many characters and a note of what was left out; never half a character. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const kept = line.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… [${countOf(countCharacters(line.slice(kept.length)), "more character")}]`;
}
