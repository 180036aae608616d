// How far a Liquid tag or output reaches, by the rules of liquidjs.

export type LiquidExtent =
  | { readonly kind: "closed"; readonly end: number }
  | { readonly kind: "open" }
  | { readonly kind: "open quote"; readonly at: number };

/** Of an output: a `}}` in quotes does not close it. */
export function findOutputEnd(text: string, begin: number): LiquidExtent {
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
export function findTagEnd(text: string, begin: number): LiquidExtent {
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
export function readTagName(tag: string): string {
  return /^\{%-?\s*(#|[^\s%-]*)/.exec(tag)?.[1] ?? "";
}

export interface ClosingTag {
  readonly begin: number;
  readonly end: number;
}

/** The tag that closes a block whose content nobody reads. */
export function findClosingTag(text: string, from: number, name: string): ClosingTag | null {
  const closing = new RegExp(`\\{%-?\\s*${name}\\s*-?%\\}`, "g");
  closing.lastIndex = from;
  const found = closing.exec(text);
  return found === null ? null : { begin: found.index, end: closing.lastIndex };
}
