// Plain text in columns: what help, listings and the log are made of.

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

// Controls and direction marks could move the cursor, colour the screen or reorder what is read.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from a file or a person as one line that is safe in a terminal. */
export const plainLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text.trim() : text.replaceAll(UNPRINTABLE, " ").trim();

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
export function wrapText(text: string, width: number | null): string[] {
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

export interface Column {
  readonly title: string;
  /** May be cut down to this many cells when the screen is narrow; never cut without it. */
  readonly least?: number;
  readonly cut?: "end" | "start";
}

const GAP = 2;

/** Aligned rows under a line of titles; a column without a single value is left out. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const used = columns
    .map((column, place) => ({ column, place }))
    .filter(({ place }) => rows.some((row) => (row[place] ?? "") !== ""));
  const cells = [
    used.map(({ column }) => column.title),
    ...rows.map((row) => used.map(({ place }) => plainLine(row[place] ?? ""))),
  ];
  const isAscii = cells.every((row) => row.every((cell) => PRINTABLE_ASCII.test(cell)));
  const widthOf = isAscii ? lengthOf : displayWidth;
  const columnsUsed = used.map(({ column }) => column);
  const widths = fitWidths(columnsUsed, longestOf(cells, columnsUsed.length, widthOf), width);
  const gap = " ".repeat(GAP);
  return cells.map((row) => {
    const fitted = row.map((cell, at) => {
      const room = widths[at] ?? 0;
      if (widthOf(cell) > room) return padEnd(cutText(cell, room, columnsUsed[at]?.cut), room);
      return isAscii ? cell.padEnd(room) : padEnd(cell, room);
    });
    return fitted.join(gap).trimEnd();
  });
}

const lengthOf = (text: string): number => text.length;

function longestOf(
  cells: readonly (readonly string[])[],
  columnCount: number,
  widthOf: (text: string) => number,
): number[] {
  const longest = new Array<number>(columnCount).fill(0);
  for (const row of cells)
    for (let at = 0; at < columnCount; at++)
      longest[at] = Math.max(longest[at] ?? 0, widthOf(row[at] ?? ""));
  return longest;
}

/** What is too wide for the screen is taken from the columns that may be cut, in their order. */
function fitWidths(columns: readonly Column[], longest: readonly number[], width: number | null) {
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
