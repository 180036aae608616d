import { nearestNames } from "../../../command/nearest-names.ts";
import { findFenceEnd } from "../scan/code.ts";
import type { Picked } from "./pick-lines.ts";

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly begin: number;
}

// The rest of the line is trimmed by hand: a pattern that does it takes quadratic time on long blanks.
const ATX = / {0,3}(#{1,6})(?=[ \t\r\n]|$)([^\n]*)/y;
const SETEXT = / {0,3}(\S[^\n]*)\n {0,3}(=+|-+)[ \t]*\r?(?=\n|$)/y;

/** The section below a heading, up to the next of the same or a higher level; by title or by its anchor. */
export function pickHeading(text: string, name: string): Picked {
  const headings = listHeadings(text);
  const index = headings.findIndex(({ title }) => isNamed(title, name));
  const heading = headings[index];
  if (heading === undefined) return missing(name, headings);
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return { kind: "picked", text: text.slice(heading.begin, next?.begin), label: heading.title };
}

function isNamed(title: string, name: string): boolean {
  const wanted = name.toLowerCase();
  return title.toLowerCase() === wanted || anchorOf(title) === wanted;
}

/** As forges make it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");

function listHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let begin = 0;
  while (begin < text.length) {
    const fenceEnd = findFenceEnd(text, begin);
    const heading = fenceEnd === null ? readHeading(text, begin) : null;
    if (heading !== null) headings.push(heading);
    const lineEnd = text.indexOf("\n", fenceEnd ?? begin);
    begin = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  return headings;
}

function readHeading(text: string, begin: number): Heading | null {
  ATX.lastIndex = begin;
  const atx = ATX.exec(text);
  if (atx !== null) return { title: dropHashes(atx[2] ?? ""), level: atx[1]?.length ?? 1, begin };
  SETEXT.lastIndex = begin;
  const setext = SETEXT.exec(text);
  if (setext === null || /^(?:[-*+>]|\d+[.)])/.test(setext[1] ?? "")) return null;
  return { title: (setext[1] ?? "").trim(), level: setext[2]?.startsWith("=") ? 1 : 2, begin };
}

/** A heading may be closed by hashes after a blank. */
function dropHashes(rest: string): string {
  const title = rest.trim();
  let end = title.length;
  while (title.charAt(end - 1) === "#") end -= 1;
  return end === 0 || /\s/.test(title.charAt(end - 1)) ? title.slice(0, end).trim() : title;
}

function missing(name: string, headings: readonly Heading[]): Picked {
  const titles = headings.map(({ title }) => title);
  const near = nearestNames(name, titles);
  const some = near.length > 0 ? near : titles.slice(0, 10);
  const hint =
    some.length === 0
      ? "the file has no headings"
      : `it has ${some.map((title) => `\`${title}\``).join(", ")}; write a blank as \`\\ \` or use the anchor`;
  return { kind: "missing", problem: "names a heading that the file does not have", hint };
}
