import {
  findClosingTag,
  findOutputEnd,
  findTagEnd,
  type LiquidExtent,
  readTagName,
} from "./liquid-extent.ts";

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
