// The part of a file that an import names: lines, a section of Markdown, a declaration.
import { nearestNames, quoteNames } from "../../core/command/names.ts";
import { type FileImport, type ImportPart, importFault, type UrlImport } from "./body.ts";
import { findFenceEnd } from "./code.ts";

interface PartRequest {
  readonly text: string;
  /** The extension with its dot. */
  readonly kind: string;
  readonly part: ImportPart;
  readonly wanted: FileImport | UrlImport;
}

interface PickedPart {
  readonly text: string;
  /** What the wrapping says about it. */
  readonly attributes: Readonly<Record<string, string>>;
}

export async function pickPart(request: PartRequest): Promise<PickedPart> {
  const { text, part, wanted } = request;
  if (part.kind === "whole") return { text, attributes: {} };
  const isLines = part.kind === "lines";
  const picked = isLines
    ? pickLines(text, part.from, part.to)
    : await pickSection(text, part.name, request.kind);
  if (picked.kind === "missing") throw importFault(wanted, picked.problem, picked.hint);
  return { text: picked.text, attributes: { [isLines ? "lines" : "section"]: picked.label } };
}

const MARKDOWN = new Set([".md", ".markdown", ".mdx"]);
const JAVASCRIPT = new Set([".js", ".mjs", ".cjs"]);
const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);

async function pickSection(text: string, name: string, kind: string): Promise<Picked> {
  if (MARKDOWN.has(kind)) return pickHeading(text, name);
  const isTypeScript = TYPESCRIPT.has(kind);
  if (!isTypeScript && !JAVASCRIPT.has(kind))
    return {
      kind: "missing",
      problem: "names a section of a file that has none",
      hint: "sections are headings of Markdown and declarations of TypeScript and JavaScript (not JSX); import lines, as in `:10-50`",
    };
  // Most bodies never need a parser of JavaScript.
  const { pickSymbol } = await import("./pick-symbol.ts");
  return pickSymbol(text, name, isTypeScript);
}

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly begin: number;
}

// The rest of the line is trimmed by hand: a pattern that does it takes quadratic time on long blanks.
const ATX = / {0,3}(#{1,6})(?=[ \t\r\n]|$)([^\n]*)/y;
const SETEXT = / {0,3}(\S[^\n]*)\n {0,3}(=+|-+)[ \t]*\r?(?=\n|$)/y;

/** The section below a heading, up to the next of the same or a higher level; by title or by its anchor. */
function pickHeading(text: string, name: string): Picked {
  const headings = listHeadings(text);
  const index = headings.findIndex(({ title }) => isNamed(title, name));
  const heading = headings[index];
  if (heading === undefined) return missingHeading(name, headings);
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return { kind: "picked", text: text.slice(heading.begin, next?.begin), label: heading.title };
}

function isNamed(title: string, name: string): boolean {
  const wanted = name.toLowerCase();
  return title.toLowerCase() === wanted || anchorOf(title) === wanted;
}

/** The anchor that GitHub and its like give a heading. */
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

function missingHeading(name: string, headings: readonly Heading[]): Picked {
  const titles = headings.map(({ title }) => title);
  const near = nearestNames(name, titles);
  const some = near.length > 0 ? near : titles.slice(0, 10);
  const hint =
    some.length === 0
      ? "the file has no headings"
      : `it has ${quoteNames(some)}; write a blank as \`\\ \` or use the anchor`;
  return { kind: "missing", problem: "names a heading that the file does not have", hint };
}

export type Picked =
  | { readonly kind: "picked"; readonly text: string; readonly label: string }
  /** `problem` continues the import as it was written. */
  | { readonly kind: "missing"; readonly problem: string; readonly hint: string };

/** A range may end behind the file's end, which its label then shows, but not begin there. */
function pickLines(text: string, from: number, to: number | null): Picked {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (from > lines.length) {
    const problem = `begins behind the end: the file has ${countLines(lines.length)}`;
    return { kind: "missing", problem, hint: "give a range that the file has" };
  }
  const last = Math.min(to ?? lines.length, lines.length);
  return { kind: "picked", text: lines.slice(from - 1, last).join(""), label: `${from}-${last}` };
}

const countLines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);
