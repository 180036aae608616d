// A run as Markdown, for a comment or a summary.
import {
  escapeCells,
  escapeMarkdown,
  markdownList,
  markdownTable,
  quoteInCell,
} from "../../agents/log/transcript/markdown-text.ts";
import {
  AGENT_TITLES,
  agentRows,
  describeComparison,
  matrixRows,
  matrixTitles,
  missedLines,
  severalTriesLines,
} from "./figures.ts";
import { groupNotPassed, type RunReport } from "./report.ts";

export function markdownReport(report: RunReport): string {
  const { summary, run } = report;
  const bars = missedLines(report);
  const reasons = groupNotPassed(report.results).map(
    ({ caseId, agentId, ending, times, reason }) => [
      escapeMarkdown(`${caseId}/${agentId}`),
      ending,
      String(times),
      quoteInCell(reason),
    ],
  );
  const blocks = [
    `# ${escapeMarkdown(run.suite)}`,
    `${summary.trials} trials, started ${run.startedAt}, run ${run.id.slice(0, 8)}.`,
    ...(bars.length === 0 ? [] : [markdownList(bars)]),
    markdownTable(AGENT_TITLES, agentRows(summary).map(escapeCells)),
    markdownTable(escapeCells(matrixTitles(summary)), matrixRows(summary).map(escapeCells)),
    markdownList(severalTriesLines(summary)),
    markdownList(summary.comparisons.map(describeComparison)),
    markdownList(report.unconfined),
    ...(reasons.length === 0
      ? []
      : ["## Not passed", markdownTable(["CASE/AGENT", "ENDING", "TIMES", "REASON"], reasons)]),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
