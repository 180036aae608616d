import type { CallEntry, Entry } from "../order-entries.ts";
import type { LogMessage, ToolCall } from "../run-log.ts";
import {
  type CallArgument,
  isTroubled,
  listArguments,
  listCallNotes,
  titleOfResult,
} from "./call-summary.ts";
import { splitLines } from "./clean-text.ts";
import { countOf, formatClock, formatCount } from "./figures.ts";
import { escapeHtml } from "./html-escape.ts";
import { splitMessage } from "./message-parts.ts";

export const writeHtmlEntry = (entry: Entry): string =>
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
    writeArguments(listArguments(call)),
    writeInside(inside),
    call.result === undefined ? "" : writeResult(call, splitLines(call.result)),
  ];
  return `<li class="card call">${parts.join("")}</li>`;
}

function writeCallHead(call: ToolCall): string {
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
  return lines > 1 ? countOf(lines, "line") : `${formatCount(text.length)} characters`;
}

/** A failure is shown at once, unless it would push everything else out of sight. */
const OPEN_LINES = 30;

const writeResult = (call: ToolCall, lines: readonly string[]): string =>
  lines.length === 0
    ? `<p class="note">${titleOfResult(lines)}</p>`
    : writeFolded({
        title: titleOfResult(lines),
        text: lines.join("\n"),
        isOpen: isTroubled(call) && lines.length <= OPEN_LINES,
      });

interface Folded {
  readonly title: string;
  readonly text: string;
  readonly isOpen: boolean;
}

export const writeFolded = ({ title, text, isOpen }: Folded): string =>
  `<details${isOpen ? " open" : ""}><summary>${escapeHtml(title)}</summary>${writeCode(text)}</details>`;

function writeInside(inside: readonly LogMessage[]): string {
  if (inside.length === 0) return "";
  const items = inside.map((message) => `<li>${writeWords(message)}</li>`).join("");
  const title = `${countOf(inside.length, "message")} inside this call`;
  return `<details><summary>${title}</summary><ol class="inside">${items}</ol></details>`;
}
