// A run as Markdown, for a comment or a summary. What agents and people said stands in code.

import { cutLines, splitLines } from "../../agents/log/text.ts";
import {
  escapeCells,
  escapeMarkdown,
  markdownList,
  markdownTable,
  writeFence,
} from "../../agents/log/transcript/markdown-text.ts";
import type { JournalEntry } from "../journal/journal.ts";
import {
  askedText,
  callStateOf,
  describeStarts,
  describeTrouble,
  givenText,
} from "./call-facts.ts";
import { callsOf, resultText, type WorkflowReport } from "./report.ts";
import { describeStatus, runFigures } from "./run-summary.ts";
import { CALL_TITLES, callRow, headlinesOf } from "./text-report.ts";

const MAX_ANSWER_LINES = 60;

export function markdownWorkflowReport(report: WorkflowReport): string {
  const { run, entries, now, worktrees } = report;
  const calls = callsOf(report);
  const result = resultText(run);
  const blocks = [
    `# ${escapeMarkdown(run.workflow)} · ${escapeMarkdown(describeStatus(run))}`,
    `${escapeMarkdown(runFigures(run, entries, now).join(" · "))}, started ${run.createdAt}, run ${run.id}.`,
    markdownList(headlinesOf(report)),
    ...(calls.length === 0
      ? []
      : [
          markdownTable(
            CALL_TITLES,
            calls.map((entry) => escapeCells(callRow(entry, now))),
          ),
        ]),
    ...(result === "" ? [] : ["## Result", writeFence(splitLines(result))]),
    ...(worktrees.length === 0 ? [] : ["## Worktrees"]),
    ...worktrees.flatMap(({ number, branch, diffstat }) => [
      `Call ${number}, branch ${escapeMarkdown(branch)}; \`adj workflow adopt ${run.id} ${number}\` merges it.`,
      ...(diffstat === null ? [] : [writeFence(diffstat)]),
    ]),
    ...(calls.length === 0 ? [] : ["## Calls"]),
    ...calls.flatMap(writeCall),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function writeCall(entry: JournalEntry): string[] {
  const answer = givenText(entry);
  const notes = [describeTrouble(entry), describeStarts(entry)].filter((note) => note !== null);
  return [
    `### ${entry.number} ${escapeMarkdown(entry.label)} · ${callStateOf(entry)}`,
    markdownList(notes),
    writeFence(cutLines(splitLines(askedText(entry)), MAX_ANSWER_LINES)),
    ...(answer === null
      ? []
      : [
          "<details><summary>answer</summary>",
          writeFence(cutLines(splitLines(answer), MAX_ANSWER_LINES)),
          "</details>",
        ]),
  ];
}
