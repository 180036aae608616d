/** Wraps each line at spaces; lines that need no wrapping, such as code, stay as they are. */
export function wrapText(text: string, width: number, indent: number, first?: string): string {
  const margin = " ".repeat(indent);
  const lines = text
    .replace(/\s+$/, "")
    .split("\n")
    .flatMap((line) => wrapLine(line, width - indent));
  return lines
    .map((line, at) => `${at === 0 ? (first ?? margin) : margin}${line}`.trimEnd())
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    // A word that is longer than the line stays whole: a path that is cut cannot be copied.
    const at = space > 0 ? space : rest.indexOf(" ", width);
    if (at < 0) break;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}
