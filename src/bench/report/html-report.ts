// A run as one page that needs no script, no network and no other file: figures, plots, and every trial behind a fold.
import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import { STYLE } from "../../agents/transcript/html-style.ts";
import { describeComparison, missedLines } from "./figures-text.ts";
import { plotCosts, plotDifferences, plotRates, plotTimes } from "./html-plots.ts";
import { REPORT_STYLE } from "./html-report-style.ts";
import { writeMatrix, writeTable } from "./html-tables.ts";
import { type Contents, writeCellTrials } from "./html-trials.ts";
import type { RunReport } from "./run-report.ts";
import { AGENT_TITLES, agentRows, SPREAD_TITLES, severalTriesLines, spreadRows } from "./tables.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export type ReadContent = (hash: string) => Promise<Uint8Array | null>;

export async function htmlReport(report: RunReport, read: ReadContent): Promise<string> {
  const { run, summary } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(run.suite)} · ${summary.trials} trials</title>
<style>${STYLE}${REPORT_STYLE}</style>
</head>
<body>
<main>
${writeHeader(report)}
<section><h2>Agents</h2>
${plotRates(summary)}
${writeTable(AGENT_TITLES, agentRows(summary))}
${writeList(severalTriesLines(summary))}</section>
${summary.comparisons.length === 0 ? "" : `<section><h2>Differences</h2>\n${plotDifferences(summary)}\n${writeList(summary.comparisons.map(describeComparison))}</section>`}
<section><h2>Cases</h2>
${writeMatrix(summary)}
<p class="quiet">Passed of tried. ~ marks a case that passes now and then; what could not run is not counted.</p></section>
<section><h2>Time and cost of a trial</h2>
${plotTimes(summary)}
${plotCosts(summary)}
${writeTable(SPREAD_TITLES, spreadRows(summary))}</section>
<section><h2>Trials</h2>
${await writeTrials(report, read)}</section>
</main>
</body>
</html>
`;
}

function writeHeader(report: RunReport): string {
  const { run, summary } = report;
  const known = summary.reused === 0 ? "" : `, ${summary.reused} of them known before`;
  const facts = `${summary.trials} of ${run.trials} trials${known}, started <time datetime="${escapeHtml(run.startedAt)}">${escapeHtml(sayTime(run.startedAt))}</time>, run ${escapeHtml(run.id.slice(0, 8))}`;
  const bars = missedLines(report).map((line) => `<li class="bad">${escapeHtml(line)}</li>`);
  return `<header><h1>${escapeHtml(run.suite)}</h1>
<p class="quiet">${facts}</p>
${bars.length === 0 ? "" : `<ul class="bars">${bars.join("")}</ul>`}</header>`;
}

const sayTime = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

const writeList = (lines: readonly string[]): string =>
  lines.length === 0
    ? ""
    : `<ul class="notes">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;

async function writeTrials({ summary, results }: RunReport, read: ReadContent): Promise<string> {
  const contents = limitContents(read);
  const byCell = Map.groupBy(results, ({ caseId, agentId }) => JSON.stringify([caseId, agentId]));
  const groups: string[] = [];
  const byCase = Map.groupBy(summary.cells.entries(), ([, { caseId }]) => caseId);
  for (const [place, cell] of [...byCase.values()].flat()) {
    const own = byCell.get(JSON.stringify([cell.caseId, cell.agentId])) ?? [];
    groups.push(await writeCellTrials({ cell, place, results: own }, contents));
  }
  return groups.join("\n");
}

/** A browser shows no page of gigabytes. */
const MOST_BYTES = 64_000_000;

function limitContents(read: ReadContent): Contents {
  let left = MOST_BYTES;
  return {
    read: async (hash) => {
      const bytes = left <= 0 ? null : await read(hash);
      if (bytes === null) return null;
      left -= bytes.length;
      return left < 0 ? null : Buffer.from(bytes).toString();
    },
  };
}
