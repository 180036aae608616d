// Agents write Markdown. Of that only the code blocks matter here: their lines are not to be broken.
import { displayWidth } from "../../../core/terminal/text-columns.ts";
import { splitLines } from "../text.ts";

interface MessagePart {
  readonly kind: "prose" | "code";
  readonly lines: readonly string[];
  /** The lines that fence a code block, as far as they are there. */
  readonly opening: readonly string[];
  readonly closing: readonly string[];
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** A message as prose and code blocks in turn. */
export function splitMessage(content: string): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  const lines = splitLines(content);
  let from = 0;
  while (from < lines.length) {
    const fence = FENCE.exec(lines[from] ?? "")?.[1] ?? null;
    const endsHere = (line: string): boolean =>
      fence === null ? FENCE.test(line) : closes(line, fence);
    let end = from + 1;
    while (end < lines.length && !endsHere(lines[end] ?? "")) end += 1;
    if (fence === null) parts.push(proseOf(lines.slice(from, end)));
    else parts.push(codeOf(lines.slice(from, end + 1), end < lines.length));
    from = fence === null ? end : end + 1;
  }
  return parts;
}

const proseOf = (lines: readonly string[]): MessagePart => ({
  kind: "prose",
  lines,
  opening: [],
  closing: [],
});

function codeOf(lines: readonly string[], isClosed: boolean): MessagePart {
  const end = isClosed ? lines.length - 1 : lines.length;
  return {
    kind: "code",
    lines: lines.slice(1, end),
    opening: lines.slice(0, 1),
    closing: lines.slice(end),
  };
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
}

/** A message as lines of at most so many cells where words allow; code stays as it is. */
export function wrapMessage(content: string, width: number | null): readonly string[] {
  return splitMessage(content).flatMap(({ kind, lines, opening, closing }) =>
    kind === "code"
      ? [...opening, ...lines, ...closing]
      : lines.flatMap((line) => wrapLine(line, width)),
  );
}

const START = /^\s*(?:(?:[-*+]|\d{1,3}[.)]) )?/;
const MIN_WIDTH = 20;

/** Lines under a list item begin where its text begins; a word that is longer stays whole. */
export function wrapLine(line: string, width: number | null): readonly string[] {
  // No character takes more than two cells, so that most lines need no measuring.
  if (width === null || line.length * 2 <= width) return [line];
  const start = START.exec(line)?.[0] ?? "";
  const room = Math.max(MIN_WIDTH, width - displayWidth(start));
  const margin = " ".repeat(displayWidth(start));
  return breakWords(line.slice(start.length), room).map(
    (text, at) => (at === 0 ? start : margin) + text,
  );
}

/** Every word is measured once: measuring is what costs where text is not ASCII. */
function breakWords(text: string, width: number): readonly string[] {
  const lines: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const word of text.split(" ")) {
    const cells = displayWidth(word);
    if (used + 1 + cells <= width) {
      lines.at(-1)?.push(word);
      used += 1 + cells;
    } else {
      lines.push([word]);
      used = cells;
    }
  }
  return lines.map((words) => words.join(" "));
}
