// Plain text in columns: what help, listings and the log are made of.

import { escapeControls } from "../command/words.ts";

let segmenter: Intl.Segmenter | null = null;
const graphemesOf = (text: string): string[] => {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
};

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

/** Cells a terminal needs for a text: two for wide characters. */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return graphemesOf(text).reduce((width, one) => width + (WIDE.test(one) ? 2 : 1), 0);
}

const LINE_ENDS = /[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu;

/** Text from a file or a person as one line that is safe in a terminal. */
export const plainLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text.trim() : escapeControls(text.replaceAll(LINE_ENDS, " ")).trim();

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Cut to a width, with `…` where something is missing. */
export function cutText(text: string, width: number, from: "end" | "start" = "end"): string {
  if (displayWidth(text) <= width) return text;
  const graphemes = graphemesOf(text);
  const kept: string[] = [];
  let used = 1;
  for (const one of from === "end" ? graphemes : graphemes.toReversed()) {
    used += displayWidth(one);
    if (used > width) break;
    kept.push(one);
  }
  return from === "end" ? `${kept.join("")}…` : `…${kept.toReversed().join("")}`;
}

/** Lines of at most so many cells, broken between words; a longer word stays whole. */
export function wrapToWidth(text: string, width: number | null): string[] {
  if (width === null) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Lines of text, none of them wider than the screen. */
export const wrapLines = (lines: readonly string[], width: number | null): string[] =>
  lines.flatMap((line) => wrapToWidth(plainLine(line), width));

interface TableColumn {
  readonly title: string;
  /** May be cut down to this many cells when the screen is narrow; never cut without it. */
  readonly least?: number;
  readonly cut?: "end" | "start";
}

const GAP = 2;

/** Aligned rows under a line of titles; a column without a single value is left out. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  // Nearly every table is plain ASCII, and then its cells need no closer look: it is tried first.
  const plain = alignRows(columns, rows, { width, widthOf: lengthOf });
  if (plain.every((line) => PRINTABLE_ASCII.test(line))) return plain;
  const clean = rows.map((row) => row.map(plainLine));
  return alignRows(columns, clean, { width, widthOf: displayWidth });
}

interface Measure {
  readonly width: number | null;
  readonly widthOf: (text: string) => number;
}

function alignRows(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width, widthOf }: Measure,
): string[] {
  const shown = columns
    .map((column, index) => ({ column, index, longest: longestIn(rows, index, widthOf) }))
    .filter(({ longest }) => longest > 0);
  const widths = fitWidths(
    shown.map(({ column }) => column),
    shown.map(({ column, longest }) => Math.max(longest, column.title.length)),
    width,
  );
  const fitCell = (text: string, at: number): string => {
    const room = widths[at] ?? 0;
    const missing = room - widthOf(text);
    if (missing < 0) return padEnd(cutText(text, room, shown[at]?.column.cut), room);
    return text.padEnd(text.length + missing);
  };
  const gap = " ".repeat(GAP);
  const lineOf = (row: readonly string[]): string =>
    shown
      .map(({ index }, at) => fitCell(row[index] ?? "", at))
      .join(gap)
      .trimEnd();
  return [columns.map(({ title }) => title), ...rows].map(lineOf);
}

const lengthOf = (text: string): number => text.length;

function longestIn(
  rows: readonly (readonly string[])[],
  index: number,
  widthOf: (text: string) => number,
): number {
  let longest = 0;
  for (const row of rows) longest = Math.max(longest, widthOf(row[index] ?? ""));
  return longest;
}

/** What is too wide for the screen is taken from the columns that may be cut, in their order. */
function fitWidths(
  columns: readonly TableColumn[],
  longest: readonly number[],
  width: number | null,
) {
  const widths = [...longest];
  const total = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1));
  let excess = width === null ? 0 : total - width;
  for (const [at, column] of columns.entries()) {
    const natural = widths[at] ?? 0;
    const give = Math.min(Math.max(0, excess), Math.max(0, natural - (column.least ?? natural)));
    widths[at] = natural - give;
    excess -= give;
  }
  return widths;
}
