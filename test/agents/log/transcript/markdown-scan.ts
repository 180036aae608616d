// Markdown as far as these tests need it: which lines stand in fenced code, and whether all of that ends.

export interface Scanned {
  readonly outside: readonly string[];
  readonly blocks: readonly string[];
  readonly isOpen: boolean;
}

const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

export function scanMarkdown(text: string): Scanned {
  const outside: string[] = [];
  const blocks: string[][] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    if (fence !== null && closes(line, fence)) fence = null;
    else if (fence !== null) blocks.at(-1)?.push(line);
    else {
      fence = OPENING.exec(line)?.[1] ?? null;
      if (fence === null) outside.push(line);
      else blocks.push([]);
    }
  }
  return { outside, blocks: blocks.map((lines) => lines.join("\n")), isOpen: fence !== null };
}

function closes(line: string, fence: string): boolean {
  const match = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return match?.startsWith(fence) ?? false;
}

/** A line without its code spans: a run of backticks up to the next run of the same length. */
export function withoutCode(line: string): string {
  const open = /`+/.exec(line);
  if (open === null) return line;
  const rest = line.slice(open.index + open[0].length);
  const close = [...rest.matchAll(/`+/g)].find(([run]) => run.length === open[0].length);
  if (close === undefined) throw new Error(`a code span without an end: ${line}`);
  return line.slice(0, open.index) + withoutCode(rest.slice(close.index + close[0].length));
}
