// A run as one page that needs no script, no network and no other file: figures, plots, and every trial behind a fold.
import {
  escapeHtml,
  PARTS_STYLE,
  writePage,
  writeTable,
} from "../../agents/log/transcript/html-page.ts";
import type { Spread } from "../statistics/estimates.ts";
import {
  AGENT_TITLES,
  agentRows,
  describeComparison,
  formatPoints,
  formatSeconds,
  missedLines,
  SPREAD_TITLES,
  severalTriesLines,
  spreadRows,
} from "./figures.ts";
import {
  type Contents,
  cellKey,
  writeCellTrials,
  writeMatrix,
  writeNotPassed,
} from "./html-trials.ts";
import type { RunReport } from "./report.ts";
import type { AgentSummary, RunSummary } from "./summary.ts";

export type ReadContent = (hash: string) => Promise<Uint8Array | null>;

export async function htmlReport(report: RunReport, read: ReadContent): Promise<string> {
  const { run, summary } = report;
  const title = `${run.suite} · ${summary.trials} trials`;
  const body = `${writeHeader(report)}
<section><h2>Agents</h2>
${plotRates(summary)}
${writeTable(AGENT_TITLES, agentRows(summary))}
${writeList(severalTriesLines(summary))}</section>
${summary.comparisons.length === 0 ? "" : `<section><h2>Differences</h2>\n${plotDifferences(summary)}\n${writeList(summary.comparisons.map(describeComparison))}</section>`}
${writeNotPassed(summary, report.results)}
<section><h2>Cases</h2>
${writeMatrix(summary)}
<p class="quiet">Passed of tried. ~ marks a case that passes now and then; what could not run is not counted. A cell leads to its trials, those that did not pass first.</p></section>
<section><h2>Time and cost of a trial</h2>
${plotTimes(summary)}
${plotCosts(summary)}
${writeTable(SPREAD_TITLES, spreadRows(summary))}</section>
<section><h2>Trials</h2>
${await writeTrials(report, read)}</section>`;
  return writePage({ title, style: `${PARTS_STYLE}${REPORT_STYLE}`, body });
}

function writeHeader(report: RunReport): string {
  const { run, summary } = report;
  const known = summary.reused === 0 ? "" : `, ${summary.reused} of them known before`;
  const facts = `${summary.trials} of ${run.trials} trials${known}, started <time datetime="${escapeHtml(run.startedAt)}">${escapeHtml(sayTime(run.startedAt))}</time>, run ${escapeHtml(run.id.slice(0, 8))}`;
  const bars = missedLines(report).map((line) => `<li class="bad">${escapeHtml(line)}</li>`);
  return `<header><h1>${escapeHtml(run.suite)}</h1>
<p class="quiet">${facts}</p>
${bars.length === 0 ? "" : `<ul class="bars">${bars.join("")}</ul>`}${writeList(report.unconfined)}</header>`;
}

const sayTime = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

const writeList = (lines: readonly string[]): string =>
  lines.length === 0
    ? ""
    : `<ul class="notes">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;

async function writeTrials({ summary, results }: RunReport, read: ReadContent): Promise<string> {
  const contents = limitContents(read);
  const byCell = Map.groupBy(results, cellKey);
  const groups: string[] = [];
  const byCase = Map.groupBy(summary.cells.entries(), ([, { caseId }]) => caseId);
  for (const [index, cell] of [...byCase.values()].flat().toSorted(byTrouble)) {
    const own = byCell.get(cellKey(cell)) ?? [];
    groups.push(await writeCellTrials({ cell, index, results: own }, contents));
  }
  return groups.join("\n");
}

/** What did not pass comes before what could not run, and that before what passed. */
const byTrouble = ([, one]: PlacedCell, [, other]: PlacedCell): number =>
  troubleOf(one) - troubleOf(other);

type PlacedCell = readonly [index: number, cell: RunSummary["cells"][number]];

function troubleOf({ tally: { passed, trials }, coverage }: PlacedCell[1]): number {
  if (passed < trials) return 0;
  return coverage < 1 ? 1 : 2;
}

/** A browser shows no page of gigabytes. */
const MAX_PAGE_BYTES = 64_000_000;

function limitContents(read: ReadContent): Contents {
  let left = MAX_PAGE_BYTES;
  return {
    read: async (hash) => {
      const bytes = left <= 0 ? null : await read(hash);
      if (bytes === null) return null;
      left -= bytes.length;
      return left < 0 ? null : Buffer.from(bytes).toString();
    },
  };
}

/** On top of a transcript's own style, with its colours. */
const REPORT_STYLE = `
section > * + *:not(.cell) { margin-top: .75rem; }
.notes { list-style: disc; padding-left: 1.2rem; }
.notes li { margin: 0; }
.bars { margin-top: .75rem; }
.bars li { border-radius: .375rem; padding: .375rem .75rem; margin-top: .375rem; overflow-wrap: anywhere; }
td a { text-decoration: none; display: inline-block; }
.trial td:last-child, .failures td:last-child { white-space: normal; min-width: 12rem; overflow-wrap: break-word; }
.plot { margin: 0; }
figcaption { font-size: .8125rem; color: var(--quiet); margin-bottom: .5rem; }
.plot .mark { display: grid; grid-template-columns: minmax(4rem, 12rem) 1fr; gap: 1.25rem; align-items: center; }
.plot .mark > span { text-align: right; overflow-wrap: anywhere; font-size: .875rem; line-height: 1.3; }
.plot .track { position: relative; height: 2rem; margin-right: 1.5rem; }
.plot .scale { position: relative; height: 1.25rem; margin-right: 1.5rem; font-size: .75rem; color: var(--quiet); }
.plot .scale span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.plot i { position: absolute; }
.plot .tick { top: 0; bottom: 0; border-left: 1px solid var(--line); }
.plot .whisker { top: calc(50% - 1px); height: 2px; background: var(--focus); }
.plot .dot { top: calc(50% - 5px); width: 10px; height: 10px; margin-left: -5px; border-radius: 50%; background: var(--focus); }
.plot .pale .whisker, .plot .pale .dot { opacity: .45; }
.cell { border-top: 1px solid var(--line); padding: .5rem 0; }
.trial > .inner:target { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
.cell summary { overflow-wrap: anywhere; }
.cell > summary, .trial > summary { color: var(--text); }
@media (max-width: 32rem) {
  .plot .mark { grid-template-columns: 1fr; gap: 0; margin-top: .25rem; }
  .plot .mark > span { text-align: left; }
  .plot .track, .plot .scale { margin: 0 1.25rem; }
  .plot .track { height: 1.5rem; }
  .inner { padding-left: .5rem; }
}
`;

// Intervals as pictures: a dot with its whiskers on a common scale, in plain HTML that fits any width.

interface Mark {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isQuiet: boolean;
}

interface Scale {
  readonly caption: string;
  readonly ticks: readonly number[];
  say(value: number): string;
}

/** Pass rates with their 95 % intervals. */
function plotRates({ agents }: RunSummary): string {
  const marks = agents.flatMap(({ agentId, passRate, interval }) =>
    passRate === null || interval === null
      ? []
      : [{ label: agentId, value: passRate, ...interval, isQuiet: false }],
  );
  return plot(marks, {
    caption: "Pass rate with its 95 % interval",
    ticks: [0, 0.25, 0.5, 0.75, 1],
    say: (value) => `${Math.round(value * 100)} %`,
  });
}

/** Differences between agents; those that were not shown are pale. */
function plotDifferences({ comparisons }: RunSummary): string {
  const marks = comparisons.map(({ left, right, difference, interval, verdict }) => ({
    label: `${left} − ${right}`,
    value: difference,
    ...interval,
    isQuiet: verdict === "no difference shown",
  }));
  return plot(marks, {
    caption:
      "Difference of the pass rates in points, with its 95 % interval; pale where none was shown",
    ticks: [-1, -0.5, 0, 0.5, 1],
    say: formatPoints,
  });
}

const plotTimes = ({ agents }: RunSummary): string =>
  plotSpreads(agents, {
    caption: "Time of the agent: median and middle half",
    spreadOf: ({ agentMs }) => agentMs,
    say: formatSeconds,
  });

const plotCosts = ({ agents }: RunSummary): string =>
  plotSpreads(agents, {
    caption: "Cost: median and middle half",
    spreadOf: ({ costUsd }) => costUsd,
    say: (value) => `$${Number(value.toPrecision(3))}`,
  });

interface SpreadPlot {
  readonly caption: string;
  spreadOf(agent: AgentSummary): Spread | null;
  say(value: number): string;
}

function plotSpreads(
  agents: readonly AgentSummary[],
  { caption, spreadOf, say }: SpreadPlot,
): string {
  const marks = agents.flatMap((agent) => {
    const spread = spreadOf(agent);
    if (spread === null) return [];
    const { median, low, high } = spread;
    return [{ label: agent.agentId, value: median, low, high, isQuiet: false }];
  });
  const top = niceTop(Math.max(...marks.map(({ high }) => high)));
  if (top === null) return "";
  return plot(marks, { caption, ticks: [0, top / 4, top / 2, (top / 4) * 3, top], say });
}

/** The next of 1, 2, 4, 8 times a power of ten, so that its quarters are round; null where all is nothing. */
function niceTop(most: number): number | null {
  if (!Number.isFinite(most) || most <= 0) return null;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 4, 8].find((factor) => most <= factor * power) ?? 10);
}

function plot(marks: readonly Mark[], { caption, ticks, say }: Scale): string {
  const [from, to] = [ticks[0], ticks.at(-1)];
  if (marks.length === 0 || from === undefined || to === undefined) return "";
  const at = (value: number): string => `${(((value - from) / (to - from)) * 100).toFixed(2)}%`;
  const labels = ticks.map((tick) => `<span style="left:${at(tick)}">${say(tick)}</span>`);
  const lines = ticks.map((tick) => `<i class="tick" style="left:${at(tick)}"></i>`).join("");
  const rows = marks.map(({ label, value, low, high, isQuiet }) => {
    const said = `${label}: ${say(value)}, ${say(low)} to ${say(high)}`;
    const whisker = `<i class="whisker" style="left:${at(low)};right:calc(100% - ${at(high)})"></i>`;
    const dot = `<i class="dot" style="left:${at(value)}"></i>`;
    return `<div class="${isQuiet ? "mark pale" : "mark"}" title="${escapeHtml(said)}"><span>${escapeHtml(label)}</span><div class="track">${lines}${whisker}${dot}</div></div>`;
  });
  const scale = `<div class="mark"><span></span><div class="scale">${labels.join("")}</div></div>`;
  return `<figure class="plot card"><figcaption>${escapeHtml(caption)}</figcaption>${rows.join("")}${scale}</figure>`;
}
