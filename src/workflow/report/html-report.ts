// A run as one page that needs no script, no network and no other file: what failed first, a time line, every call.
import { formatTimestamp } from "../../agents/log/figures.ts";
import { escapeHtml, writePage } from "../../agents/log/transcript/html-page.ts";
import {
  type BadgeLook,
  PARTS_STYLE,
  writeBadge,
  writeCells,
} from "../../agents/log/transcript/html-parts.ts";
import type { JournalEntry, RunStatus } from "../journal/journal.ts";
import { callStateOf, describeTrouble } from "./call-facts.ts";
import { CALLS_STYLE, STATE_LOOKS, writeCalls } from "./html-calls.ts";
import { TIMELINE_STYLE, writeTimeline } from "./html-timeline.ts";
import { callsOf, resultText, type WorkflowReport } from "./report.ts";
import { describeStatus, runFigures } from "./run-summary.ts";
import { CALL_TITLES, callRow, headlinesOf } from "./text-report.ts";

const RUN_LOOKS: Readonly<Record<RunStatus, BadgeLook>> = {
  running: "mixed",
  waiting: "mixed",
  paused: "mixed",
  done: "good",
  failed: "bad",
  stopped: "mixed",
};

const PAGE_STYLE = `
section > * + *:not(.of-call) { margin-top: .75rem; }
.headlines { margin-top: .75rem; }
.headlines li { border-radius: .375rem; padding: .375rem .75rem; margin-top: .375rem; overflow-wrap: anywhere; }
.headlines .note { color: inherit; background: var(--code); font-size: 1rem; }
td:nth-child(3) { white-space: normal; min-width: 10rem; overflow-wrap: anywhere; }
td a { color: inherit; }
.scroll + .of-call { margin-top: 1rem; border-top: 0; }
`;

export function htmlWorkflowReport(report: WorkflowReport): string {
  const { run } = report;
  const result = resultText(run);
  const body = `${writeHeader(report)}
<section><h2>Time line</h2>
${writeTimeline(report)}</section>
${result === "" ? "" : `<section><h2>Result</h2>\n<pre>\n${escapeHtml(result)}</pre></section>`}
<section><h2>Calls</h2>
${writeCallTable(report)}
${writeCalls(report)}</section>`;
  const style = `${PARTS_STYLE}${TIMELINE_STYLE}${CALLS_STYLE}${PAGE_STYLE}`;
  return writePage({ title: `${run.workflow} · ${run.status} · ${run.id}`, style, body });
}

function writeHeader(report: WorkflowReport): string {
  const { run, entries, now } = report;
  const badge = writeBadge(run.status, lookOf(report));
  const why = describeStatus(run).slice(run.status.length).replace(/^: ?/, "").trim();
  const started = `started <time datetime="${escapeHtml(run.createdAt)}">${escapeHtml(formatTimestamp(run.createdAt))}</time>, run ${escapeHtml(run.id)}`;
  const lines = headlinesOf(report).map((line) => {
    const look = line.startsWith("failed: ") ? "bad" : "note";
    return `<li class="${look}">${escapeHtml(line)}</li>`;
  });
  const list = lines.length === 0 ? "" : `<ul class="headlines">${lines.join("")}</ul>`;
  return `<header><div class="title"><h1>${escapeHtml(run.workflow)}</h1>${badge}</div>
${why === "" ? "" : `<p>${escapeHtml(why)}</p>`}
<p class="quiet">${escapeHtml(runFigures(run, entries, now).join(" · "))}, ${started}</p>
${list}</header>`;
}

/** Done with failed calls is not the same as done. */
function lookOf(report: WorkflowReport): BadgeLook {
  const look = RUN_LOOKS[report.run.status];
  const hasFailed = callsOf(report).some((entry) => callStateOf(entry) === "failed");
  return look === "good" && hasFailed ? "mixed" : look;
}

function writeCallTable(report: WorkflowReport): string {
  const rows = callsOf(report).map((entry) => writeRow(entry, report.now));
  return rows.length === 0 ? "" : writeCells(CALL_TITLES, rows);
}

function writeRow(entry: JournalEntry, now: number): string[] {
  const state = callStateOf(entry);
  return callRow(entry, now).map((cell, at) => {
    if (at === 0) return `<a href="#call-${entry.number}">${escapeHtml(cell)}</a>`;
    if (CALL_TITLES[at] !== "STATE") return escapeHtml(cell);
    return `<span title="${escapeHtml(describeTrouble(entry) ?? "")}">${writeBadge(cell, STATE_LOOKS[state])}</span>`;
  });
}
