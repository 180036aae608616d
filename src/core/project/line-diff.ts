// A unified diff of two texts, compared by the `diff` package.
import { diffArrays } from "diff";

/** Texts that differ by more lines than this are shown as one replacing the other. */
const MAX_EDITS = 1_000;
const CONTEXT = 3;

/** Hunks with three lines of context, each line beginning with ` `, `-` or `+`; empty for equal texts. */
export function diffLines(before: string, after: string): string {
  const marked = markLines(splitLines(before), splitLines(after));
  return groupHunks(marked)
    .map((hunk) => formatHunk(marked, hunk))
    .join("");
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push("\\ no line break at the end");
  return lines;
}

const mark = (sign: " " | "-" | "+", lines: readonly string[]): string[] =>
  lines.map((line) => `${sign}${line}`);

/** All lines of both texts. The common end is set apart first, so that a repeated line is added at its beginning. */
function markLines(before: readonly string[], after: readonly string[]): string[] {
  const head = countSame(before, after, Math.min(before.length, after.length));
  const rest = Math.min(before.length, after.length) - head;
  const tail = countSame(before.toReversed(), after.toReversed(), rest);
  const [old, now] = [before, after].map((lines) => lines.slice(head, lines.length - tail));
  return [
    ...mark(" ", before.slice(0, head)),
    ...compare(old ?? [], now ?? []),
    ...mark(" ", before.slice(before.length - tail)),
  ];
}

function countSame(before: readonly string[], after: readonly string[], most: number): number {
  let count = 0;
  while (count < most && before[count] === after[count]) count += 1;
  return count;
}

function compare(before: string[], after: string[]): string[] {
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [...mark("-", before), ...mark("+", after)];
  return changes.flatMap(({ added, removed, value }) =>
    mark(added ? "+" : removed ? "-" : " ", value),
  );
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

function groupHunks(marked: readonly string[]): Hunk[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [at, line] of marked.entries()) {
    if (line.startsWith(" ")) continue;
    const start = Math.max(0, at - CONTEXT);
    const end = Math.min(marked.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function formatHunk(marked: readonly string[], { start, end }: Hunk): string {
  const count = (from: number, to: number, other: "+" | "-"): number =>
    marked.slice(from, to).filter((line) => !line.startsWith(other)).length;
  const range = (other: "+" | "-"): string => {
    const length = count(start, end, other);
    return `${count(0, start, other) + (length === 0 ? 0 : 1)},${length}`;
  };
  const lines = marked.slice(start, end).map((line) => `${line}\n`);
  return `@@ -${range("+")} +${range("-")} @@\n${lines.join("")}`;
}
