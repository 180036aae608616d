// A run as one file that needs nothing from elsewhere: no script, no font, no picture.
import type { RunLog } from "../run-log.ts";
import { listFacts } from "./transcript-facts.ts";
import {
  describeArguments,
  describeOutcome,
  listParts,
  type TranscriptPart,
} from "./transcript-parts.ts";
import { TRANSCRIPT_STYLE } from "./transcript-style.ts";

export function writeHtmlTranscript(log: RunLog): string {
  const title = escapeHtml(`Run of ${log.agent_info.name}`);
  const facts = listFacts(log).map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${TRANSCRIPT_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<dl>${facts.join("")}</dl>
${listParts(log).map(writePart).join("\n")}
${writeErrors(log)}
</main>
</body>
</html>
`;
}

function writePart(part: TranscriptPart): string {
  if (part.kind === "words") {
    const name = part.isNested ? `${part.role} (sub-agent)` : part.role;
    return `<section class="${part.role}"><h2>${name}</h2><pre>${escapeHtml(part.text)}</pre></section>`;
  }
  const { call } = part;
  const outcome = describeOutcome(call);
  const mark = outcome === "ok" || outcome === "no result" ? "" : ' class="bad"';
  const result = call.result ? `<pre>${escapeHtml(call.result)}</pre>` : "";
  return `<details class="tool"><summary><b>${escapeHtml(call.name)}</b> <code>${escapeHtml(
    describeArguments(call),
  )}</code> <span${mark}>${outcome}</span></summary>${result}</details>`;
}

function writeErrors({ errors }: RunLog): string {
  if (errors.length === 0) return "";
  const items = errors.map(
    ({ code, message }) => `<li><code>${escapeHtml(code)}</code> ${escapeHtml(message)}</li>`,
  );
  return `<section class="errors"><h2>errors</h2><ul>${items.join("")}</ul></section>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
