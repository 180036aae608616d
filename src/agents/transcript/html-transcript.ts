// A run's log as one page that needs no script, no network and no other file.

import { orderEntries } from "../order-entries.ts";
import type { ErrorRecord, RunLog } from "../run-log.ts";
import { countOf } from "./figures.ts";
import { writeFolded, writeHtmlEntry } from "./html-entries.ts";
import { escapeHtml } from "./html-escape.ts";
import { STYLE } from "./html-style.ts";
import { listRunFacts } from "./run-facts.ts";

// Even if markup got in, the browser would neither run nor fetch anything.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export function writeHtmlTranscript(log: RunLog): string {
  const title = `${log.agent_info.name} · ${log.execution.status} · ${log.run_id}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${writeHeader(log)}
${writeEntries(log)}
${writeFiles(log.files_changed)}
${writeErrors(log.errors)}
</main>
</body>
</html>
`;
}

function writeHeader(log: RunLog): string {
  const { status } = log.execution;
  const facts = listRunFacts(log)
    .map(({ label, value }) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`)
    .join("\n");
  const errors =
    log.errors.length === 0 ? "" : `<a href="#errors">${countOf(log.errors.length, "error")}</a>`;
  return `<header>
<div class="title"><h1>${escapeHtml(log.agent_info.name)}</h1><span class="badge ${status === "success" ? "good" : "bad"}">${status}</span>${errors}</div>
<dl class="card facts">
${facts}
</dl>
</header>`;
}

function writeEntries(log: RunLog): string {
  const entries = orderEntries(log).map(writeHtmlEntry);
  const body =
    entries.length === 0
      ? `<p class="quiet">nothing was said</p>`
      : `<ol class="entries">\n${entries.join("\n")}\n</ol>`;
  return `<section><h2>Transcript</h2>\n${body}\n</section>`;
}

function writeFiles(files: readonly string[]): string {
  if (files.length === 0) return "";
  const items = files.map((path) => `<li><code>${escapeHtml(path)}</code></li>`).join("\n");
  return `<section><h2>Files changed</h2>\n<ul class="card">\n${items}\n</ul>\n</section>`;
}

function writeErrors(errors: readonly ErrorRecord[]): string {
  if (errors.length === 0) return "";
  const items = errors.map(writeError).join("\n");
  return `<section id="errors"><h2>Errors</h2>\n<ul>\n${items}\n</ul>\n</section>`;
}

function writeError({ code, message, stack_trace, context }: ErrorRecord): string {
  const more = [
    ...(stack_trace === undefined ? [] : [{ title: "stack trace", text: stack_trace }]),
    ...(context === undefined
      ? []
      : [{ title: "context", text: JSON.stringify(context, null, 2) }]),
  ].map((part) => writeFolded({ ...part, isOpen: false }));
  return `<li class="card error"><h3><code>${escapeHtml(code)}</code></h3><div class="prose">${escapeHtml(message)}</div>${more.join("")}</li>`;
}
