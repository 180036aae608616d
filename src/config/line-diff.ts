// A unified diff of two texts. Myers' greedy algorithm on what differs between a common beginning
// and end; texts that have too little in common are shown as one replacing the other.

interface Edit {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

const MOST_EDITS = 1_000;
const CONTEXT = 3;

/** Hunks with three lines of context, each line beginning with ` `, `-` or `+`; empty for equal texts. */
export function diffLines(before: string, after: string): string {
  const edits = findEdits(splitLines(before), splitLines(after));
  return groupHunks(edits)
    .map((hunk) => formatHunk(edits, hunk))
    .join("");
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push("\\ no line break at the end");
  return lines;
}

function findEdits(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (line: string): Edit => ({ kind: " ", line });
  return [
    ...before.slice(0, head).map(same),
    ...compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function compare(before: readonly string[], after: readonly string[]): Edit[] {
  const trace = searchPath(before, after);
  return trace === null ? replaceAll(before, after) : walkBack(before, after, trace);
}

const replaceAll = (before: readonly string[], after: readonly string[]): Edit[] => [
  ...before.map((line): Edit => ({ kind: "-", line })),
  ...after.map((line): Edit => ({ kind: "+", line })),
];

/** For each number of edits the furthest place reached on each diagonal; null when it takes too many. */
function searchPath(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<number, number>[] | null {
  const furthest = new Map([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  const most = Math.min(before.length + after.length, MOST_EDITS);
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepOnto(furthest, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
        x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return null;
}

function stepOnto(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  return isDown(furthest, diagonal, edits)
    ? (furthest.get(diagonal + 1) ?? 0)
    : (furthest.get(diagonal - 1) ?? 0) + 1;
}

/** Whether this diagonal was reached by an added line, not by a removed one. */
function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits || diagonal === edits) return diagonal === -edits;
  return (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1);
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  for (const [count, furthest] of [...trace.entries()].toReversed()) {
    const arrived = stepOnto(furthest, x - y, count);
    const start = arrived - (x - y);
    for (; x > arrived && y > start; x--, y--) edits.push({ kind: " ", line: before[x - 1] ?? "" });
    if (count === 0) break;
    if (isDown(furthest, x - y, count)) edits.push({ kind: "+", line: after[--y] ?? "" });
    else edits.push({ kind: "-", line: before[--x] ?? "" });
  }
  return edits.toReversed();
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

function groupHunks(edits: readonly Edit[]): Hunk[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [place, edit] of edits.entries()) {
    if (edit.kind === " ") continue;
    const start = Math.max(0, place - CONTEXT);
    const end = Math.min(edits.length, place + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function formatHunk(edits: readonly Edit[], { start, end }: Hunk): string {
  const count = (from: number, to: number, other: "+" | "-"): number =>
    edits.slice(from, to).filter((edit) => edit.kind !== other).length;
  const range = (other: "+" | "-"): string => {
    const length = count(start, end, other);
    return `${count(0, start, other) + (length === 0 ? 0 : 1)},${length}`;
  };
  const lines = edits.slice(start, end).map(({ kind, line }) => `${kind}${line}\n`);
  return `@@ -${range("+")} +${range("-")} @@\n${lines.join("")}`;
}
