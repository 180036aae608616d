export interface Escape {
  /** What it stands for. */
  readonly text: string;
  readonly end: number;
}

const DIRECTIVE = /^(?:@|\{[{%]|!`)/;

/** What a backslash makes of what follows it. */
export function readEscape(text: string, at: number): Escape {
  const next = text.slice(at + 1, at + 4);
  if (next.startsWith("@")) return { text: "@", end: at + 2 };
  if (next.startsWith("{{") || next.startsWith("{%"))
    return { text: next.slice(0, 2), end: at + 3 };
  // The code span behind it stays code.
  if (next.startsWith("!`")) return { text: "!", end: at + 2 };
  if (next.startsWith("`")) return { text: "\\`", end: at + 2 };
  if (!next.startsWith("\\")) return { text: "\\", end: at + 1 };
  // Twice is the character itself where once would escape; anywhere else both are text.
  return { text: DIRECTIVE.test(next.slice(1)) ? "\\" : "\\\\", end: at + 2 };
}
