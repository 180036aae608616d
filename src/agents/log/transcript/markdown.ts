// A run's log as Markdown for a pull request.
import { padEnd } from "../../../core/terminal/text-columns.ts";
import { type CallEntry, type LogEntry, orderEntries } from "../collect-entries.ts";
import type { ErrorRecord, LogMessage, RunLog } from "../run-log.ts";
import { cleanLine, cutLine, cutLines, splitLines } from "../text.ts";
import { writeFence, writeInlineCode } from "./markdown-text.ts";
import { wrapMessage } from "./message-lines.ts";
import {
  listCallArguments,
  listCallNotes,
  listRunFacts,
  type RunFact,
  titleOfResult,
} from "./summary.ts";

const RESULT_LINES = 40;
const ARGUMENT_LENGTH = 300;
/** Code blocks do not wrap by themselves. */
const MESSAGE_WIDTH = 100;

export function writeMarkdownTranscript(log: RunLog): string {
  const blocks = [
    `## ${writeInlineCode(log.agent_info.name)} · ${log.execution.status}`,
    writeFence(alignFacts(listRunFacts(log))),
    ...orderEntries(log).flatMap(writeEntry),
    ...writeFiles(log.files_changed),
    ...writeErrors(log.errors),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function alignFacts(facts: readonly RunFact[]): string[] {
  const margin = Math.max(...facts.map(({ label }) => label.length)) + 2;
  return facts.map(({ label, value }) => padEnd(label, margin) + value);
}

const writeEntry = (entry: LogEntry): readonly string[] =>
  entry.kind === "call" ? writeCall(entry) : writeMessage(entry.message);

const writeMessage = ({ role, content }: LogMessage): readonly string[] => [
  `### ${role}`,
  writeFence(wrapMessage(content, MESSAGE_WIDTH)),
];

function writeCall({ call, inside }: CallEntry): readonly string[] {
  const given = listCallArguments(call).map(({ name, text }) =>
    cutLine(`${name === null ? "" : `${cleanLine(name)}: `}${cleanLine(text)}`, ARGUMENT_LENGTH),
  );
  return [
    `### ${[`tool ${writeInlineCode(call.name)}`, ...listCallNotes(call)].join(" · ")}`,
    ...(given.length === 0 ? [] : [writeFence(given)]),
    ...inside.flatMap(({ role, content }) => [
      `**${role}**, inside this call`,
      writeFence(wrapMessage(content, MESSAGE_WIDTH)),
    ]),
    ...(call.result === undefined ? [] : writeResult(splitLines(call.result))),
  ];
}

const writeResult = (lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? [titleOfResult(lines)]
    : [
        `<details><summary>${titleOfResult(lines)}</summary>`,
        writeFence(cutLines(lines, RESULT_LINES)),
        "</details>",
      ];

const writeFiles = (files: readonly string[]): readonly string[] =>
  files.length === 0
    ? []
    : ["### files changed", files.map((path) => `- ${writeInlineCode(path)}`).join("\n")];

function writeErrors(errors: readonly ErrorRecord[]): readonly string[] {
  if (errors.length === 0) return [];
  return [
    "### errors",
    ...errors.flatMap(({ code, message }) => [
      writeInlineCode(code),
      writeFence(splitLines(message)),
    ]),
  ];
}
