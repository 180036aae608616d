// What an agent or a tool said stands in code: there neither Markdown nor HTML means anything, and
// where pull requests are read, no @name is called and no #number linked.
import { cleanLine } from "./clean-text.ts";

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
