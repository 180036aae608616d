export type Picked =
  | { readonly kind: "picked"; readonly text: string; readonly label: string }
  /** `problem` continues the import as it was written. */
  | { readonly kind: "missing"; readonly problem: string; readonly hint: string };

/** A range may end behind the file's end, which its label then shows, but not begin there. */
export function pickLines(text: string, from: number, to: number | null): Picked {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (from > lines.length) {
    const problem = `begins behind the end: the file has ${countLines(lines.length)}`;
    return { kind: "missing", problem, hint: "give a range that the file has" };
  }
  const last = Math.min(to ?? lines.length, lines.length);
  return { kind: "picked", text: lines.slice(from - 1, last).join(""), label: `${from}-${last}` };
}

const countLines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);
