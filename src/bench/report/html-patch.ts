import { escapeHtml } from "../../agents/transcript/html-escape.ts";

const LINE_KINDS = [
  ["diff --git ", "where"],
  ["--- ", "where"],
  ["+++ ", "where"],
  ["@@ ", "where"],
  ["+", "plus"],
  ["-", "minus"],
] as const;

/** A patch in colours. */
export const writePatch = (patch: string): string =>
  `<pre class="patch">${patch.split("\n").map(writeLine).join("\n")}</pre>`;

function writeLine(line: string): string {
  const kind = LINE_KINDS.find(([beginning]) => line.startsWith(beginning))?.[1];
  const text = escapeHtml(line);
  return kind === undefined ? text : `<span class="${kind}">${text}</span>`;
}
