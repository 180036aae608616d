// A run as it is printed to a terminal of any width: what failed first, then every call, then what came of it.
import { formatDuration } from "../../agents/log/figures.ts";
import { cleanText } from "../../agents/log/text.ts";
import { formatTable, plainLine, wrapLines } from "../../core/terminal/text-columns.ts";
import type { JournalEntry } from "../journal/journal.ts";
import {
  askedText,
  callFigures,
  callStateOf,
  describeDoer,
  describeStarts,
  describeTrouble,
  elapsedMs,
  givenText,
  tokensOf,
} from "./call-facts.ts";
import {
  callsOf,
  failuresOf,
  resultText,
  startedAgainIn,
  type WorkflowReport,
  waitingIn,
} from "./report.ts";
import { describeStatus, runFigures } from "./run-summary.ts";

export const CALL_TITLES = [
  "CALL",
  "PHASE",
  "WHAT",
  "BY",
  "STATE",
  "TIME",
  "TOKENS",
  "COST",
] as const;

const WIDTHS: Readonly<Record<string, number>> = { WHAT: 20, PHASE: 8, BY: 8 };

const CALL_COLUMNS = CALL_TITLES.map((title) => {
  const least = WIDTHS[title];
  return least === undefined ? { title } : { title, least };
});

export const callRow = (entry: JournalEntry, now: number): string[] => {
  const tokens = tokensOf(entry);
  const cost = entry.usage?.costUsd ?? null;
  return [
    String(entry.number),
    entry.phase ?? "",
    entry.label,
    describeDoer(entry),
    callStateOf(entry),
    formatDuration(elapsedMs(entry, now)),
    tokens === null ? "" : tokens.toLocaleString("en-US"),
    cost === null ? "" : `$${Number(cost.toPrecision(3))}`,
  ];
};

export function textReport(report: WorkflowReport, width: number | null): string {
  const { run, entries, now } = report;
  const wrapped = (lines: readonly string[]) => wrapLines(lines, width);
  const calls = callsOf(report);
  const blocks = [
    wrapped([
      `${run.workflow} (${run.id}) ${describeStatus(run)}`,
      runFigures(run, entries, now).join(" · "),
    ]),
    wrapped(headlinesOf(report)),
    calls.length === 0
      ? []
      : formatTable(
          CALL_COLUMNS,
          calls.map((entry) => callRow(entry, now)),
          width,
        ),
    worktreeLines(report, wrapped),
    resultLines(report),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** What somebody should read before anything else: what failed, what waits, what was started more than once. */
export const headlinesOf = (report: WorkflowReport): string[] => [
  ...failuresOf(report).map(
    (entry) => `failed: ${entry.number} ${entry.label}: ${describeTrouble(entry) ?? "no reason"}`,
  ),
  ...waitingIn(report).map(
    (entry) => `waits: ${entry.number} ${entry.label}: ${describeTrouble(entry) ?? ""}`,
  ),
  ...startedAgainIn(report).map(
    (entry) => `${entry.number} ${entry.label}: ${describeStarts(entry) ?? ""}`,
  ),
];

function worktreeLines(
  { worktrees, run }: WorkflowReport,
  wrapped: (lines: readonly string[]) => string[],
): string[] {
  return worktrees.flatMap(({ number, path, branch, diffstat }) => [
    ...wrapped([`worktree of call ${number}: ${path} (branch ${branch})`]),
    ...(diffstat ?? ["what changed in it cannot be told any more"]).map(
      (line) => `  ${plainLine(line)}`,
    ),
    `  take it over with \`adj workflow adopt ${run.id} ${number}\``,
  ]);
}

function resultLines({ run }: WorkflowReport): string[] {
  const text = resultText(run);
  return text === "" ? [] : ["result:", ...cleanText(text).trimEnd().split("\n")];
}

/** One call, whole: what was asked and what it gave. */
export function textOfCall(entry: JournalEntry, now: number): string {
  const answer = givenText(entry);
  const notes = [describeTrouble(entry), describeStarts(entry)].filter((note) => note !== null);
  const facts = [describeDoer(entry), ...callFigures(entry, now)].join(", ");
  const blocks = [
    [
      plainLine(`${entry.number} ${entry.label} ${callStateOf(entry)} (${facts})`),
      ...notes.map(plainLine),
      ...entry.runIds.map((id) => `log: \`adj agent log ${id}\``),
    ],
    ["--- asked ---", cleanText(askedText(entry)).trimEnd()],
    answer === null ? [] : ["--- answered ---", cleanText(answer).trimEnd()],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
