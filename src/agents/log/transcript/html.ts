// A run's log as one page that needs no script, no network and no other file.

import { type CallEntry, type LogEntry, orderEntries } from "../collect-entries.ts";
import { countOf, formatClock, groupDigits } from "../figures.ts";
import type { ErrorRecord, LogMessage, LogToolCall, RunLog } from "../run-log.ts";
import { splitLines } from "../text.ts";
import { escapeHtml, writePage } from "./html-page.ts";
import { splitMessage } from "./message-lines.ts";
import {
  type CallArgument,
  isFailedCall,
  listCallArguments,
  listCallNotes,
  listRunFacts,
  titleOfResult,
} from "./summary.ts";

export function writeHtmlTranscript(log: RunLog): string {
  const title = `${log.agent_info.name} · ${log.execution.status} · ${log.run_id}`;
  const body = `${writeHeader(log)}
${writeEntries(log)}
${writeFiles(log.files_changed)}
${writeErrors(log.errors)}`;
  return writePage({ title, body });
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

export const writeHtmlEntry = (entry: LogEntry): string =>
  entry.kind === "call" ? writeCall(entry) : writeMessage(entry.message);

const writeMessage = (message: LogMessage): string =>
  `<li class="card ${message.role}">${writeWords(message)}</li>`;

const writeWords = ({ role, content, timestamp }: LogMessage): string =>
  `<div class="head"><h3>${role}</h3>${writeTime(timestamp)}</div>${writeContent(content)}`;

const writeTime = (timestamp: string | undefined): string =>
  timestamp === undefined
    ? ""
    : `<time datetime="${escapeHtml(timestamp)}">${escapeHtml(formatClock(timestamp))}</time>`;

const writeContent = (content: string): string =>
  splitMessage(content)
    .map(({ kind, lines }) => (kind === "code" ? writeCode(lines.join("\n")) : writeProse(lines)))
    .join("");

/** A parser drops the first line end in a `pre`, so there is always one to drop. */
const writeCode = (text: string): string => `<pre>\n${escapeHtml(text)}</pre>`;

function writeProse(lines: readonly string[]): string {
  const text = lines.join("\n").trim();
  return text === "" ? "" : `<div class="prose">${escapeHtml(text)}</div>`;
}

function writeCall({ call, inside }: CallEntry): string {
  const parts = [
    writeCallHead(call),
    writeArguments(listCallArguments(call)),
    writeInside(inside),
    call.result === undefined ? "" : writeResult(call, splitLines(call.result)),
  ];
  return `<li class="card call">${parts.join("")}</li>`;
}

function writeCallHead(call: LogToolCall): string {
  const notes = listCallNotes(call).map((note) => {
    const kind = note === "failed" || note === "denied" ? "badge bad" : "note";
    return `<span class="${kind}">${escapeHtml(note)}</span>`;
  });
  const title = `<h3><code>${escapeHtml(call.name)}</code></h3>`;
  return `<div class="head">${title}${notes.join("")}${writeTime(call.started_at)}</div>`;
}

const writeArguments = (given: readonly CallArgument[]): string =>
  given.length === 0 ? "" : `<ul class="arguments">${given.map(writeArgument).join("")}</ul>`;

const LONG = 300;

function writeArgument({ name, text }: CallArgument): string {
  const label = name ?? "arguments";
  if (text.length <= LONG && !text.includes("\n"))
    return `<li><span class="quiet">${escapeHtml(label)}</span> <code>${escapeHtml(text)}</code></li>`;
  return `<li>${writeFolded({ title: `${label}, ${describeLength(text)}`, text, isOpen: false })}</li>`;
}

function describeLength(text: string): string {
  const lines = splitLines(text).length;
  return lines > 1 ? countOf(lines, "line") : `${groupDigits(text.length)} characters`;
}

/** A failure is shown at once, unless it would push everything else out of sight. */
const OPEN_LINES = 30;

const writeResult = (call: LogToolCall, lines: readonly string[]): string =>
  lines.length === 0
    ? `<p class="note">${titleOfResult(lines)}</p>`
    : writeFolded({
        title: titleOfResult(lines),
        text: lines.join("\n"),
        isOpen: isFailedCall(call) && lines.length <= OPEN_LINES,
      });

interface Folded {
  readonly title: string;
  readonly text: string;
  readonly isOpen: boolean;
}

const writeFolded = ({ title, text, isOpen }: Folded): string =>
  `<details${isOpen ? " open" : ""}><summary>${escapeHtml(title)}</summary>${writeCode(text)}</details>`;

function writeInside(inside: readonly LogMessage[]): string {
  if (inside.length === 0) return "";
  const items = inside.map((message) => `<li>${writeWords(message)}</li>`).join("");
  const title = `${countOf(inside.length, "message")} inside this call`;
  return `<details><summary>${title}</summary><ol class="inside">${items}</ol></details>`;
}
