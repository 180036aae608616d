// Code in Markdown: fences, and spans between backticks. What stands in them is text.

// A fence may stand in a quotation or a list; with backticks, none may follow on its line.
const FENCE =
  /[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(?<ticks>`{3,})[^`\n]*|(?<tildes>~{3,})[^\n]*)(?=\n|$)/y;

/** The end of the fence that opens at this line start, its closing line included; null if none does. */
export function findFenceEnd(text: string, lineStart: number): number | null {
  FENCE.lastIndex = lineStart;
  const groups = FENCE.exec(text)?.groups;
  const mark = groups?.ticks ?? groups?.tildes;
  if (mark === undefined) return null;
  const closing = new RegExp(`^[ \\t>]*${mark.charAt(0)}{${mark.length},}[ \\t]*\\r?$`, "gm");
  closing.lastIndex = FENCE.lastIndex;
  // One that is never closed goes to the end, as everywhere in Markdown.
  return closing.exec(text) === null ? text.length : closing.lastIndex;
}

const PARAGRAPH_END = /\n[ \t]*\r?(?:\n|$)|\n[ \t>]*(?:`{3,}|~{3,})/g;

export interface CodeSpan {
  /** How many backticks open and close it. */
  readonly ticks: number;
  /** Where the closing backticks begin. */
  readonly close: number;
}

/** Finds code spans from left to right; each paragraph is looked through once. */
export function createSpanFinder(text: string): (at: number) => CodeSpan | null {
  let end = 0;
  let runs = new Map<number, number[]>();
  return (at) => {
    if (at >= end) {
      end = findParagraphEnd(text, at);
      runs = listRuns(text, at, end);
    }
    const ticks = countTicks(text, at);
    const same = runs.get(ticks) ?? [];
    while ((same.at(-1) ?? text.length) <= at) same.pop();
    const close = same.at(-1);
    return close === undefined ? null : { ticks, close };
  };
}

function findParagraphEnd(text: string, at: number): number {
  PARAGRAPH_END.lastIndex = at;
  return PARAGRAPH_END.exec(text)?.index ?? text.length;
}

/** Runs of backticks by their length, the last one first. */
function listRuns(text: string, from: number, to: number): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const run of text.slice(from, to).matchAll(/`+/g)) {
    const same = runs.get(run[0].length);
    if (same === undefined) runs.set(run[0].length, [from + run.index]);
    else same.push(from + run.index);
  }
  for (const same of runs.values()) same.reverse();
  return runs;
}

export function countTicks(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === "`") end += 1;
  return end - at;
}
