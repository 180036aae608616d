// The parts of docs/agents.md that are made from results and adapters, between their marks.
import { join } from "node:path";
import { LAB_AGENTS } from "../lab.ts";

export const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "agents.md");

/** Puts new text between `<!-- NAME:begin -->` and `<!-- NAME:end -->`. */
export function replacePart(page: string, name: string, text: string): string {
  const { start, end } = findPart(page, name);
  return `${page.slice(0, start)}\n${text.trim()}\n${page.slice(end)}`;
}

/** What stands between the marks now. */
export function readPart(page: string, name: string): string {
  const { start, end } = findPart(page, name);
  return page.slice(start, end);
}

/** Puts one agent's section among those of the others, in their usual order. */
export function replaceSection(page: string, agent: string, section: string): string {
  const { start, end } = findPart(page, "agents");
  const sections = new Map(
    page
      .slice(start, end)
      .split(/^(?=### )/m)
      .map((text) => [/^### (\S+)/.exec(text)?.[1] ?? "", text.trim()]),
  );
  sections.set(agent, section.trim());
  const ordered = LAB_AGENTS.flatMap((name) => sections.get(name) ?? []);
  return replacePart(page, "agents", ordered.join("\n\n"));
}

function findPart(page: string, name: string): { readonly start: number; readonly end: number } {
  const [begin, close] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const start = page.indexOf(begin) + begin.length;
  const end = page.indexOf(close);
  if (start < begin.length || end < start) throw new Error(`the page has no part ${name}`);
  return { start, end };
}

/** A row of a Markdown table. */
const writeRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

export const writeTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [writeRow(head), `|${head.map(() => "---|").join("")}`, ...rows.map(writeRow)].join("\n");
