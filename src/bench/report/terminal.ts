// A run as it is printed to a terminal of any width.
import { quoteWord } from "../../core/command/words.ts";
import {
  displayWidth,
  formatTable,
  plainLine,
  wrapLines,
  wrapToWidth,
} from "../../core/terminal/text-columns.ts";
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

const MAX_REASONS = 12;

export function terminalReport(report: RunReport, width: number | null): string {
  const { summary } = report;
  const wrapped = (lines: readonly string[]) => wrapLines(lines, width);
  const blocks = [
    wrapped([titleOf(report)]),
    agentTable(agentRows(summary), width),
    formatTable(namedFirst(matrixTitles(summary)), matrixRows(summary), width),
    wrapped(severalTriesLines(summary)),
    wrapped(summary.comparisons.map(describeComparison)),
    reasonLines(report, width),
    wrapped(report.unconfined),
    wrapped(missedLines(report)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** What a narrow screen does without, in this order; it is in every other report. */
const LEAST_WANTED = ["TOKENS", "SCORE", "TIME"];

function agentTable(rows: readonly string[][], width: number | null): string[] {
  let lines: string[] = [];
  for (let left = 0; left <= LEAST_WANTED.length; left++) {
    const leftOut = LEAST_WANTED.slice(0, left);
    const columns = AGENT_TITLES.map((title, at) => ({ title, at })).filter(
      ({ title }) => !leftOut.includes(title),
    );
    const cells = rows.map((row) => columns.map(({ at }) => row[at] ?? ""));
    lines = formatTable(namedFirst(columns.map(({ title }) => title)), cells, width);
    if (width === null || lines.every((line) => displayWidth(line) <= width)) break;
  }
  return lines;
}

const namedFirst = (titles: readonly string[]) =>
  titles.map((title, at) => (at === 0 ? { title, least: 12 } : { title }));

function titleOf({ run, summary: { trials, reused } }: RunReport): string {
  const known = reused === 0 ? "" : `, ${reused} of them known before`;
  return `${run.suite}: ${trials} ${trials === 1 ? "trial" : "trials"}${known} (run ${run.id.slice(0, 8)})`;
}

const REASON_COLUMNS = [
  { title: "NOT PASSED", least: 36 },
  { title: "ENDING" },
  { title: "TIMES" },
  { title: "REASON", least: 20 },
] as const;

function reasonLines({ results, run, hintFlag }: RunReport, width: number | null): string[] {
  const groups = groupNotPassed(results);
  const [first] = groups;
  if (first === undefined) return [];
  const rows = groups
    .slice(0, MAX_REASONS)
    .map(({ caseId, agentId, ending, times, reason }) => [
      `${caseId}/${agentId}`,
      ending,
      String(times),
      plainLine(reason),
    ]);
  const more = groups.length - rows.length;
  const id = run.id.slice(0, 8);
  const rest = `… and ${more} more: \`adj bench report ${id} --html report.html${hintFlag}\``;
  const one = `why: \`adj bench show ${quoteWord(`${first.caseId}/${first.agentId}`)} ${id}${hintFlag}\``;
  return [
    ...formatTable(REASON_COLUMNS, rows, width),
    ...(more > 0 ? [rest] : []),
    ...wrapToWidth(plainLine(one), width),
  ];
}
