import type { FileImport, ImportPart, UrlImport } from "../body.ts";
import { importFault } from "./import-fault.ts";
import { pickHeading } from "./pick-heading.ts";
import { type Picked, pickLines } from "./pick-lines.ts";

export interface PartWish {
  readonly text: string;
  /** The extension with its dot. */
  readonly kind: string;
  readonly part: ImportPart;
  readonly wanted: FileImport | UrlImport;
}

export interface PickedPart {
  readonly text: string;
  /** What the wrapping says about it. */
  readonly attributes: Readonly<Record<string, string>>;
}

export async function pickPart(wish: PartWish): Promise<PickedPart> {
  const { text, part, wanted } = wish;
  if (part.kind === "whole") return { text, attributes: {} };
  const isLines = part.kind === "lines";
  const picked = isLines
    ? pickLines(text, part.from, part.to)
    : await pickSection(text, part.name, wish.kind);
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
