// A run as one page that needs no script, no network and no other file: figures, plots, and every trial behind a fold.
import { orderEntries } from "../../agents/order-entries.ts";
import { RUN_LOG } from "../../agents/run-log.ts";
import { writeHtmlEntry } from "../../agents/transcript/html-entries.ts";
import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import { STYLE } from "../../agents/transcript/html-style.ts";
import type { TrialResult } from "../trial.ts";
import { describeComparison, missedLines, seconds } from "./figures-text.ts";
import { plotDifferences, plotRates } from "./html-plots.ts";
import { REPORT_STYLE } from "./html-report-style.ts";
import { writeMatrix, writeTable } from "./html-tables.ts";
import type { RunReport } from "./run-report.ts";
import { AGENT_TITLES, agentRows, severalTriesLines } from "./tables.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export type ReadContent = (hash: string) => Promise<Uint8Array | null>;

export async function htmlReport(report: RunReport, read: ReadContent): Promise<string> {
  const { run, summary, results } = report;
  const trials: string[] = [];
  for (const result of results) trials.push(await writeTrial(result, read));
  const bars = missedLines(report);
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
<header><div class="title"><h1>${escapeHtml(run.suite)}</h1><span class="badge ${bars.length === 0 ? "good" : "bad"}">${summary.trials} trials</span></div>
<p class="quiet">started <time datetime="${escapeHtml(run.startedAt)}">${escapeHtml(sayTime(run.startedAt))}</time>, run ${escapeHtml(run.id.slice(0, 8))}</p></header>
<section><h2>Agents</h2>
${plotRates(summary)}
${writeTable(AGENT_TITLES, agentRows(summary))}
${writeList([...severalTriesLines(summary), ...bars])}</section>
<section><h2>Cases</h2>
${writeMatrix(summary)}
<p class="quiet">passed of tried; ~ marks a case that passes now and then</p></section>
${summary.comparisons.length === 0 ? "" : `<section><h2>Differences</h2>\n${plotDifferences(summary)}\n${writeList(summary.comparisons.map(describeComparison))}</section>`}
<section><h2>Trials</h2>
${trials.join("\n")}</section>
</main>
</body>
</html>
`;
}

const sayTime = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

const writeList = (lines: readonly string[]): string =>
  lines.length === 0
    ? ""
    : `<ul class="notes">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;

async function writeTrial(result: TrialResult, read: ReadContent): Promise<string> {
  const { key, ending, reason, durationMs, evaluations, reusedFrom } = result;
  const rows = evaluations.map(({ id, status, score, message }) => [
    id,
    status,
    score === null ? "–" : score.toFixed(2),
    message,
  ]);
  const parts = [
    reason === null ? "" : `<p>${escapeHtml(reason)}</p>`,
    reusedFrom === null ? "" : `<p class="quiet">known from run ${escapeHtml(reusedFrom)}</p>`,
    rows.length === 0 ? "" : writeTable(["EVALUATOR", "STATUS", "SCORE", "MESSAGE"], rows),
    await writePatches(result, read),
    await writeTranscript(result, read),
  ];
  return `<details class="trial"><summary><span class="badge ${ending === "passed" ? "good" : "bad"}">${ending}</span> ${escapeHtml(key)} <span class="quiet">${seconds(durationMs)}</span></summary>${parts.join("\n")}</details>`;
}

async function readText(hash: string | undefined, read: ReadContent): Promise<string | null> {
  const bytes = hash === undefined ? null : await read(hash);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

async function writePatches({ artifacts }: TrialResult, read: ReadContent): Promise<string> {
  const patches = Object.entries(artifacts).filter(([name]) => name.endsWith(".patch"));
  const parts = await Promise.all(patches.map(([, hash]) => readText(hash, read)));
  return parts
    .filter((text) => text !== null && text !== "")
    .map(
      (text) =>
        `<details><summary>changes</summary><pre class="patch">${colourPatch(text ?? "")}</pre></details>`,
    )
    .join("");
}

const LINE_KINDS = [
  ["--- ", "where"],
  ["+++ ", "where"],
  ["@@ ", "where"],
  ["+", "plus"],
  ["-", "minus"],
] as const;

const colourPatch = (patch: string): string =>
  patch
    .split("\n")
    .map((line) => {
      const kind = LINE_KINDS.find(([beginning]) => line.startsWith(beginning))?.[1];
      const text = escapeHtml(line);
      return kind === undefined ? text : `<span class="${kind}">${text}</span>`;
    })
    .join("\n");

async function writeTranscript({ artifacts }: TrialResult, read: ReadContent): Promise<string> {
  const text = await readText(artifacts["log.json"], read);
  const log = text === null ? null : RUN_LOG.safeParse(JSON.parse(text));
  if (!log?.success) return "";
  const entries = orderEntries(log.data).map(writeHtmlEntry).join("\n");
  return `<details><summary>transcript</summary><ol class="entries">${entries}</ol></details>`;
}
