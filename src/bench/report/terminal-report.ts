import { formatTable, plainLine } from "../../command/text-columns.ts";
import { describeComparison } from "./figures-text.ts";
import type { RunReport } from "./run-report.ts";
import { AGENT_TITLES, agentRows, matrixRows, matrixTitles, severalTriesLines } from "./tables.ts";

const MOST_REASONS = 8;

export function terminalReport(report: RunReport, width: number | null): string {
  const { summary, run } = report;
  const columns = (titles: readonly string[]) =>
    titles.map((title, at) => (at === 0 ? { title, least: 12 } : { title }));
  const blocks = [
    [
      `${run.suite}: ${summary.trials} ${summary.trials === 1 ? "trial" : "trials"}${summary.reused === 0 ? "" : `, ${summary.reused} of them known before`} (run ${run.id.slice(0, 8)})`,
    ],
    formatTable(columns(AGENT_TITLES), agentRows(summary), width),
    formatTable(columns(matrixTitles(summary)), matrixRows(summary), width),
    severalTriesLines(summary),
    summary.comparisons.map(describeComparison),
    reasonLines(report),
    report.missed.map(({ bar, agentId }) => `missed: ${agentId}: ${bar}`),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** What did not pass, and why; the first few of each kind. */
function reasonLines({ results, run }: RunReport): string[] {
  const failed = results.filter(({ ending }) => ending !== "passed");
  const shown = failed
    .slice(0, MOST_REASONS)
    .map(({ key, ending, reason }) => plainLine(`${ending}  ${key}  ${reason ?? ""}`));
  const more = failed.length - shown.length;
  return more > 0
    ? [
        ...shown,
        `… and ${more} more: \`adj bench report ${run.id.slice(0, 8)} --html report.html\``,
      ]
    : shown;
}
