import { describeComparison } from "./figures-text.ts";
import type { RunReport } from "./run-report.ts";
import { AGENT_TITLES, agentRows, matrixRows, matrixTitles, severalTriesLines } from "./tables.ts";

export function markdownReport(report: RunReport): string {
  const { summary, run, missed } = report;
  const failed = report.results.filter(({ ending }) => ending !== "passed");
  const blocks = [
    `# ${cell(run.suite)}`,
    `${summary.trials} trials, started ${run.startedAt}.`,
    table(AGENT_TITLES, agentRows(summary)),
    table(matrixTitles(summary), matrixRows(summary)),
    list(severalTriesLines(summary)),
    list(summary.comparisons.map(describeComparison)),
    ...(missed.length === 0
      ? []
      : ["## Missed bars", list(missed.map(({ agentId, bar }) => `${agentId}: \`${bar}\``))]),
    ...(failed.length === 0
      ? []
      : [
          "## Not passed",
          table(
            ["TRIAL", "ENDING", "REASON"],
            failed.map(({ key, ending, reason }) => [key, ending, reason ?? ""]),
          ),
        ]),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** Text of agents and programs must not become markup. */
const cell = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, " ").replaceAll(/[|\\`*_<>[\]]/g, String.raw`\$&`);

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n");

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
