// Where the tags and outputs of Liquid stand in the text. What they mean Liquid itself reads.

/** What cannot be read, and where. */
export interface Wrong {
  readonly kind: "wrong";
  readonly offset: number;
  readonly problem: string;
  readonly hint: string;
}

export type LiquidReading =
  /** `name` is a tag's, empty for an output. */
  | { readonly kind: "liquid"; readonly name: string; readonly end: number }
  /** `raw` and `comment`: what stands between nobody reads. */
  | {
      readonly kind: "unread";
      readonly open: string;
      readonly text: string;
      readonly close: string;
      readonly end: number;
    }
  | Wrong;

/** Reads the tag or output that begins here; null where none does. */
export function readLiquid(text: string, at: number): LiquidReading | null {
  if (text.startsWith("{{", at)) {
    const extent = findOutputEnd(text, at);
    return extent.kind === "closed"
      ? { kind: "liquid", name: "", end: extent.end }
      : unclosed("{{", extent, at);
  }
  return text.startsWith("{%", at) ? readTag(text, at) : null;
}

function readTag(text: string, at: number): LiquidReading {
  const extent = findTagEnd(text, at);
  if (extent.kind !== "closed") return unclosed("{%", extent, at);
  const { end } = extent;
  const open = text.slice(at, end);
  const name = readTagName(open);
  if (name !== "raw" && name !== "comment") return { kind: "liquid", name, end };
  const closing = findClosingTag(text, end, `end${name}`);
  if (closing === null)
    return {
      kind: "wrong",
      offset: at,
      problem: `\`{% ${name} %}\` is not closed`,
      hint: `close it with \`{% end${name} %}\``,
    };
  const kept = name === "raw" ? text.slice(end, closing.begin) : "";
  const close = text.slice(closing.begin, closing.end);
  return { kind: "unread", open, text: kept, close, end: closing.end };
}

function unclosed(
  mark: "{{" | "{%",
  extent: Exclude<LiquidExtent, { kind: "closed" }>,
  at: number,
): Wrong {
  if (extent.kind === "open quote")
    return {
      kind: "wrong",
      offset: extent.at,
      problem: `a quote within \`${mark}\` is not closed`,
      hint: "close it",
    };
  const closer = mark === "{{" ? "}}" : "%}";
  return {
    kind: "wrong",
    offset: at,
    problem: `\`${mark}\` is not closed`,
    hint: `close it with \`${closer}\`, or write \`\\${mark}\` for the characters themselves`,
  };
}

/** How far a tag or output reaches, by the rules of liquidjs. */
type LiquidExtent =
  | { readonly kind: "closed"; readonly end: number }
  | { readonly kind: "open" }
  | { readonly kind: "open quote"; readonly at: number };

/** Of an output: a `}}` in quotes does not close it. */
function findOutputEnd(text: string, begin: number): LiquidExtent {
  const part = /\}\}|["']/g;
  part.lastIndex = begin + 2;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    if (found[0] === "}}") return { kind: "closed", end: part.lastIndex };
    const close = findQuoteEnd(text, found.index);
    if (close === null) return { kind: "open quote", at: found.index };
    part.lastIndex = close;
  }
  return { kind: "open" };
}

/** Of a tag: the first `%}` closes it, even in quotes. */
function findTagEnd(text: string, begin: number): LiquidExtent {
  const end = text.indexOf("%}", begin + 2);
  return end < 0 ? { kind: "open" } : { kind: "closed", end: end + 2 };
}

function findQuoteEnd(text: string, begin: number): number | null {
  const quote = text.charAt(begin);
  for (let at = begin + 1; at < text.length; at++) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === quote) return at + 1;
  }
  return null;
}

/** The name a tag begins with. */
function readTagName(tag: string): string {
  return /^\{%-?\s*(#|[^\s%-]*)/.exec(tag)?.[1] ?? "";
}

interface ClosingTag {
  readonly begin: number;
  readonly end: number;
}

/** The tag that closes a block whose content nobody reads. */
function findClosingTag(text: string, from: number, name: string): ClosingTag | null {
  const closing = new RegExp(`\\{%-?\\s*${name}\\s*-?%\\}`, "g");
  closing.lastIndex = from;
  const found = closing.exec(text);
  return found === null ? null : { begin: found.index, end: closing.lastIndex };
}
