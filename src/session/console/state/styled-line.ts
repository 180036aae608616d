// A line of the console as data: pieces of text and what they are. Whoever draws it chooses the colours.
import { escapeControls } from "../../../core/command/words.ts";
import { displayWidth } from "../../../core/terminal/text-columns.ts";

export type Tone =
  | "plain"
  | "dim"
  | "strong"
  | "person"
  | "command"
  | "tool"
  | "question"
  | "added"
  | "removed"
  | "error";

interface TextSpan {
  readonly tone: Tone;
  readonly text: string;
}

export type StyledLine = readonly TextSpan[];

/** Text of others: what cannot be seen is written out, and tabs have a width. */
export const styled = (tone: Tone, text: string): StyledLine => [
  { tone, text: escapeForScreen(text) },
];

export const escapeForScreen = (text: string): string =>
  escapeControls(text.replaceAll("\r\n", "\n")).replaceAll("\t", "    ");

export const EMPTY_LINE: StyledLine = [];

/** Begins every row of a line that it begins. */
export const BAR: TextSpan = { tone: "command", text: "│ " };

/** Every line of a text in one tone. */
export const styledLines = (tone: Tone, text: string): StyledLine[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => styled(tone, line));

/** A unified diff, with its signs as colours. */
export const diffLinesOf = (diff: string): StyledLine[] =>
  diff === ""
    ? []
    : diff
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => styled(diffTone(line), line));

function diffTone(line: string): Tone {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "dim" : "plain";
}

/** The first so many, and a word about the rest. */
export function foldLines(
  lines: readonly StyledLine[],
  most: number,
  hint = "",
): readonly StyledLine[] {
  if (lines.length <= most) return lines;
  const rest = lines.length - most;
  return [...lines.slice(0, most), styled("dim", `… ${rest} more lines${hint}`)];
}

/** Rows of at most so many cells; a piece keeps its tone across them. */
export function wrapStyled(line: StyledLine, width: number): StyledLine[] {
  const [first, ...rest] = line;
  if (first !== BAR) return wrapSpans(line, width);
  return wrapSpans(rest, width - displayWidth(BAR.text)).map((row) => [BAR, ...row]);
}

function wrapSpans(line: StyledLine, width: number): StyledLine[] {
  const rows: TextSpan[][] = [[]];
  let used = 0;
  for (const { tone, text } of line)
    for (const word of text.split(/(?<= )/)) {
      const cells = displayWidth(word.trimEnd());
      if (used > 0 && used + cells > width) {
        rows.push([]);
        used = 0;
      }
      for (const part of cutWord(word, width)) {
        if (used > 0 && used + displayWidth(part.trimEnd()) > width) {
          rows.push([]);
          used = 0;
        }
        addText(rows.at(-1) ?? [], tone, part);
        used += displayWidth(part);
      }
    }
  return rows.map((row, at) => (at === rows.length - 1 ? row : trimRow(row)));
}

/** The blank at which a row was broken has no cell. */
function trimRow(row: StyledLine): StyledLine {
  const last = row.at(-1);
  if (last === undefined) return row;
  return [...row.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

function addText(row: TextSpan[], tone: Tone, text: string): void {
  const last = row.at(-1);
  if (last?.tone === tone) row[row.length - 1] = { tone, text: last.text + text };
  else row.push({ tone, text });
}

/** A word that is longer than a row is broken where it must be. */
function cutWord(word: string, width: number): string[] {
  if (displayWidth(word.trimEnd()) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const char of word) {
    if (part !== "" && displayWidth(part + char) > width) {
      parts.push(part);
      part = "";
    }
    part += char;
  }
  return part === "" ? parts : [...parts, part];
}
