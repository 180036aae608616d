// What every HTML page of ours is made of: its style, two sets of colours, text that is never markup.
import { cleanText } from "../text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text as text of a page or as the value of an attribute, never as markup. */
export const escapeHtml = (text: string): string =>
  cleanText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

// Two sets of colours; every text on its ground has the contrast of WCAG AA (4.5 to 1), by a test.

export interface Palette {
  readonly page: string;
  readonly card: string;
  readonly code: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly good: string;
  readonly goodGround: string;
  readonly bad: string;
  readonly badGround: string;
  readonly focus: string;
}

export const LIGHT: Palette = {
  page: "#f5f6f8",
  card: "#ffffff",
  code: "#eef0f3",
  line: "#d3d8df",
  text: "#1c2127",
  quiet: "#545d68",
  good: "#0b6128",
  goodGround: "#dcf5e3",
  bad: "#a1101f",
  badGround: "#fde8e8",
  focus: "#0a58ca",
};

export const DARK: Palette = {
  page: "#0e1116",
  card: "#171b22",
  code: "#222832",
  line: "#38404c",
  text: "#e5e9ee",
  quiet: "#a3adba",
  good: "#6fdc8c",
  goodGround: "#12311d",
  bad: "#ff9a94",
  badGround: "#431a1c",
  focus: "#7cb1ff",
};

/** `--page: #fff; …`, as a style sheet has it. */
const writeColours = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ");

/** The page's whole style. It loads nothing and works on 360 px. */
const STYLE = `
:root { color-scheme: light dark; ${writeColours(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${writeColours(DARK)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3, p, dl, dd, ol, ul, pre { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: .875rem; font-weight: 600; color: var(--quiet); }
ol, ul { list-style: none; }
code, pre { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border-radius: .375rem; padding: .625rem .75rem; margin-top: .375rem; }
pre, .prose, dd, code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
a { color: inherit; text-underline-offset: .2em; }
summary { cursor: pointer; color: var(--quiet); font-size: .875rem; width: fit-content; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; font-size: .9375rem; }
dt, time, .quiet { color: var(--quiet); }
time { font-weight: 400; font-variant-numeric: tabular-nums; }
.entries > li { margin-top: .75rem; content-visibility: auto; contain-intrinsic-size: auto 6rem; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .625rem; }
.head time { margin-left: auto; font-size: .8125rem; }
.prose { margin-top: .25rem; }
.user { border-left: .25rem solid var(--focus); }
.call h3 { color: var(--text); overflow-wrap: anywhere; }
h3 code { font-size: .875rem; font-weight: 700; }
.call details, .error details { margin-top: .375rem; }
.arguments { margin-top: .25rem; font-size: .875rem; }
.arguments details { margin: 0; }
.note { font-size: .8125rem; color: var(--quiet); }
.badge { font-size: .8125rem; font-weight: 600; border-radius: 1rem; padding: 0 .625rem; }
.good { color: var(--good); background: var(--goodGround); }
.bad { color: var(--bad); background: var(--badGround); }
.error { margin-top: .5rem; }
.error h3 { color: var(--bad); overflow-wrap: anywhere; }
.inside > li { border-left: 2px solid var(--line); padding-left: .75rem; margin-top: .5rem; }
@media (max-width: 30rem) {
  main { padding: 1rem .5rem 3rem; }
  .card { padding: .625rem .75rem; }
  .facts { column-gap: .75rem; }
}
@media print { .card { break-inside: avoid; } .entries > li { content-visibility: visible; } }
`;

// Even if markup got in, the browser would neither run nor fetch anything.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

interface Page {
  /** Plain text. */
  readonly title: string;
  /** Beyond the style that every page has. */
  readonly style?: string;
  /** HTML, with everything in it that came from elsewhere escaped. */
  readonly body: string;
}

/** One page that needs no script, no network and no other file. */
export const writePage = ({ title, style = "", body }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

// What our HTML reports share: tables, badges, a patch in colours, and their style.

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

export type BadgeStyle = "plain" | "good" | "bad" | "mixed";

export const writeBadge = (text: string, look: BadgeStyle): string =>
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
