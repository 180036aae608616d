// Text of others in Markdown: as words that are no markup, and as code.
import { plainLine } from "../../../core/terminal/text-columns.ts";
import { cleanLine } from "../text.ts";

/** Names must not become markup. */
export const escapeMarkdown = (text: string): string =>
  plainLine(text).replaceAll(/[|\\`*_<>[\]~&#]/g, String.raw`\$&`);

export const escapeCells = (cells: readonly string[]): string[] => cells.map(escapeMarkdown);

/** As code: what an agent or a program said must not call people by `@name` either, nor be a link. */
export function quoteInCell(text: string): string {
  const line = plainLine(text).replaceAll("|", String.raw`\|`);
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

export const markdownTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n");
};

export const markdownList = (lines: readonly string[]): string =>
  lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n");

// What an agent or a tool said stands in code: there neither Markdown nor HTML means anything, and
// where pull requests are read, no @name is called and no #number linked.

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/** A code block whose fence is longer than any in the text. */
export function writeFence(lines: readonly string[]): string {
  const text = lines.join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Code within a line. */
export function writeInlineCode(text: string): string {
  const line = cleanLine(text);
  if (line === "") return "(empty)";
  const mark = "`".repeat(longestRun(line) + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return `${mark}${space}${line}${space}${mark}`;
}
