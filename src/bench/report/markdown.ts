// A run as Markdown, for a comment or a summary.
import { plainLine } from "../../core/terminal/text-columns.ts";
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
      escapeText(`${caseId}/${agentId}`),
      ending,
      String(times),
      quote(reason),
    ],
  );
  const blocks = [
    `# ${escapeText(run.suite)}`,
    `${summary.trials} trials, started ${run.startedAt}, run ${run.id.slice(0, 8)}.`,
    ...(bars.length === 0 ? [] : [list(bars)]),
    table(AGENT_TITLES, agentRows(summary).map(escapeRow)),
    table(escapeRow(matrixTitles(summary)), matrixRows(summary).map(escapeRow)),
    list(severalTriesLines(summary)),
    list(summary.comparisons.map(describeComparison)),
    list(report.unconfined),
    ...(reasons.length === 0
      ? []
      : ["## Not passed", table(["CASE/AGENT", "ENDING", "TIMES", "REASON"], reasons)]),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** Names must not become markup. */
const escapeText = (text: string): string =>
  plainLine(text).replaceAll(/[|\\`*_<>[\]~&#]/g, String.raw`\$&`);

const escapeRow = (cells: readonly string[]): string[] => cells.map(escapeText);

/** As code: what an agent or a program said must not call people by `@name` either, nor be a link. */
function quote(text: string): string {
  const line = plainLine(text).replaceAll("|", String.raw`\|`);
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n");
};

const list = (lines: readonly string[]): string =>
  lines.map((line) => `- ${escapeText(line)}`).join("\n");
