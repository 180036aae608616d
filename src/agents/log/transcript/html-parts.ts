// What our HTML reports share: tables, badges, a patch in colours, and their style.
import { escapeHtml } from "./html-page.ts";

/** On top of a page's own style, with its colours. */
export const PARTS_STYLE = `
main { max-width: 64rem; }
section { margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .35rem .7rem; text-align: left; white-space: nowrap; }
th:first-child { padding-left: 0; }
thead th { font-size: .75rem; letter-spacing: .04em; color: var(--quiet); }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.scroll { overflow-x: auto; }
.mixed { box-shadow: inset 0 0 0 1px var(--line); }
.inner { padding: .25rem 0 .25rem 1.1rem; }
.inner > .quiet { font-size: .875rem; }
.inner > * + * { margin-top: .5rem; }
.patch { overflow-x: auto; }
.patch .plus { color: var(--good); }
.patch .minus { color: var(--bad); }
.patch .where { color: var(--quiet); }
`;

const LINE_KINDS = [
  ["diff --git ", "where"],
  ["--- ", "where"],
  ["+++ ", "where"],
  ["@@ ", "where"],
  ["+", "plus"],
  ["-", "minus"],
] as const;

/** A patch in colours. */
export const writePatchHtml = (patch: string): string =>
  `<pre class="patch">${patch.split("\n").map(writePatchLine).join("\n")}</pre>`;

function writePatchLine(line: string): string {
  const kind = LINE_KINDS.find(([beginning]) => line.startsWith(beginning))?.[1];
  const text = escapeHtml(line);
  return kind === undefined ? text : `<span class="${kind}">${text}</span>`;
}

export type BadgeLook = "plain" | "good" | "bad" | "mixed";

export const writeBadge = (text: string, look: BadgeLook): string =>
  look === "plain"
    ? `<span class="quiet">${escapeHtml(text)}</span>`
    : `<span class="badge ${look}">${escapeHtml(text)}</span>`;

export const writeTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  writeCells(
    titles,
    rows.map((row) => row.map(escapeHtml)),
  );

/** Of HTML; the first of a row names it. */
export function writeCells(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = titles.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("");
  const body = rows.map(([first = "", ...rest]) => {
    const cells = rest.map((html) => `<td>${html}</td>`).join("");
    return `<tr><th scope="row">${first}</th>${cells}</tr>`;
  });
  return `<div class="scroll card"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}
