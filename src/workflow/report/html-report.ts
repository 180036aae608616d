// A run as one page that needs no script, no network and no other file: what failed first, a time line, every call.
import { formatDuration, formatTimestamp } from "../../agents/log/figures.ts";
import {
  type BadgeStyle,
  escapeHtml,
  PARTS_STYLE,
  writeBadge,
  writeCells,
  writePage,
} from "../../agents/log/transcript/html-page.ts";
import type { JournalEntry, RunStatus } from "../journal/journal.ts";
import { callFigures, callStateOf, describeDoer, describeTrouble } from "./call-facts.ts";
import { CALLS_STYLE, STATE_LOOKS, writeCalls } from "./html-calls.ts";
import { callsOf, resultText, type WorkflowReport } from "./report.ts";
import { describeStatus, runFigures } from "./run-summary.ts";
import { CALL_TITLES, callRow, headlinesOf } from "./text-report.ts";

const RUN_LOOKS: Readonly<Record<RunStatus, BadgeStyle>> = {
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
function lookOf(report: WorkflowReport): BadgeStyle {
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

// The time line of a run in plain HTML that fits any width: a bar for each call on one scale, phase by phase.

/** A page with more bars than this says nothing at a glance. */
const MAX_BARS = 500;
/** As a part of the whole; a call of a millisecond is still seen. */
const MIN_BAR = 0.4;

const TIMELINE_STYLE = `
.line { display: grid; grid-template-columns: minmax(6rem, 15rem) 1fr; gap: 0 1rem; align-items: center; }
.line .phase { grid-column: 1 / -1; font-size: .8125rem; font-weight: 600; color: var(--quiet); margin-top: .75rem; }
.line a { text-decoration: none; font-size: .8125rem; line-height: 1.7; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.line a:hover { text-decoration: underline; }
.line .track { position: relative; height: 1rem; background: linear-gradient(to right, var(--line) 1px, transparent 1px) 0 0 / 25% 100%; border-right: 1px solid var(--line); }
.line .track i { position: absolute; top: .1875rem; bottom: .1875rem; min-width: 3px; border-radius: 2px; background: var(--focus); }
.line .track .failed { background: var(--bad); }
.line .track .waits, .line .track .runs { background: repeating-linear-gradient(-45deg, var(--focus) 0 4px, transparent 4px 7px); box-shadow: inset 0 0 0 1px var(--focus); }
.line .track .skipped, .line .track .stopped { background: var(--quiet); }
.line .scale { grid-column: 2; position: relative; height: 1.25rem; font-size: .75rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.line .scale span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.line .scale span:first-child { transform: none; }
.line .scale span:last-child { transform: translateX(-100%); }
.line .phase:first-child { margin-top: 0; }
@media (max-width: 32rem) {
  .line { grid-template-columns: 1fr; }
  .line .track { margin-bottom: .25rem; }
  .line .scale { grid-column: 1; }
  .line .scale span:nth-child(even) { display: none; }
}
`;

function writeTimeline(report: WorkflowReport): string {
  const calls = callsOf(report);
  const scale = scaleOf(calls, report.now);
  if (scale === null) return `<p class="quiet">no calls yet</p>`;
  const shown = calls.slice(0, MAX_BARS);
  const groups = Map.groupBy(shown, ({ phase }) => phase);
  const rows = [...groups].map(([phase, own]) => {
    const title = phase === null ? "" : `<div class="phase">${escapeHtml(phase)}</div>`;
    return `${title}${own.map((entry) => writeBar(entry, scale, report.now)).join("")}`;
  });
  const more =
    calls.length > shown.length
      ? `<p class="quiet">and ${calls.length - shown.length} calls more, in the table below</p>`
      : "";
  return `<div class="card"><div class="line">${rows.join("")}${writeScale(scale)}</div>${more}</div>`;
}

interface TimeScale {
  readonly from: number;
  readonly span: number;
}

function scaleOf(calls: readonly JournalEntry[], now: number): TimeScale | null {
  if (calls.length === 0) return null;
  const from = Math.min(...calls.map(({ startedAt }) => Date.parse(startedAt)));
  const to = Math.max(...calls.map((entry) => endOf(entry, now)));
  return { from, span: Math.max(1, to - from) };
}

const endOf = ({ endedAt }: JournalEntry, now: number): number =>
  endedAt === null ? now : Date.parse(endedAt);

function writeBar(entry: JournalEntry, { from, span }: TimeScale, now: number): string {
  const start = ((Date.parse(entry.startedAt) - from) / span) * 100;
  const length = ((endOf(entry, now) - Date.parse(entry.startedAt)) / span) * 100;
  const width = Math.min(100 - start, Math.max(MIN_BAR, length));
  const left = Math.min(start, 100 - width);
  const state = callStateOf(entry);
  const facts = [describeDoer(entry), state, ...callFigures(entry, now)].join(", ");
  const title = escapeHtml(`${entry.number} ${entry.label}: ${facts}`);
  const label = escapeHtml(`${entry.number} ${entry.label}`);
  const bar = `<i class="${state}" style="left:${left.toFixed(2)}%;width:${Math.max(0, width).toFixed(2)}%"></i>`;
  return `<a href="#call-${entry.number}" title="${title}">${label}</a><div class="track" title="${title}">${bar}</div>`;
}

const QUARTERS = [0, 25, 50, 75, 100];

function writeScale({ span }: TimeScale): string {
  const marks = QUARTERS.map((part) => {
    const said = part === 0 ? "0" : formatDuration((span * part) / 100);
    return `<span style="left:${part}%">${said}</span>`;
  });
  return `<div class="scale">${marks.join("")}</div>`;
}
