// A run's log as text for a terminal or a file.
import { cutText, padEnd } from "../../../core/terminal/text-columns.ts";
import { type CallEntry, type LogEntry, orderEntries } from "../collect-entries.ts";
import type { ErrorRecord, LogMessage, RunLog } from "../run-log.ts";
import { cleanLine, cutLine, cutLines, splitLines } from "../text.ts";
import { wrapLine, wrapMessage } from "./message-lines.ts";
import { listCallArguments, listCallNotes, listRunFacts } from "./summary.ts";

const RESULT_LINES = 20;
const ARGUMENT_LENGTH = 200;
const MIN_WIDTH = 20;

interface Page {
  readonly width: number | null;
}

interface TextOptions {
  /** Cells of a line; null, as by default, where lines may have any length. */
  readonly width?: number | null;
}

/** `writeTextTranscript(log, { width: 80 })` – what happened in the run, to be read. */
export function writeTextTranscript(log: RunLog, { width = null }: TextOptions = {}): string {
  const page = { width };
  const blocks = [
    writeHeader(log, page),
    ...orderEntries(log).map((entry) => writeEntry(entry, page)),
    ...writeFiles(log.files_changed),
    ...writeErrors(log.errors, page),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const indent = (lines: readonly string[], margin: string): string[] =>
  lines.map((line) => `${margin}${line}`.trimEnd());

const narrow = ({ width }: Page, margin: string): Page => ({
  width: width === null ? null : Math.max(MIN_WIDTH, width - margin.length),
});

function writeHeader(log: RunLog, { width }: Page): string[] {
  const facts = listRunFacts(log);
  const margin = Math.max(...facts.map(({ label }) => label.length)) + 2;
  const room = width === null ? null : Math.max(MIN_WIDTH, width - margin);
  return facts.flatMap(({ label, value }) =>
    wrapLine(value, room).map((line, at) => padEnd(at === 0 ? label : "", margin) + line),
  );
}

function writeEntry(entry: LogEntry, page: Page): string[] {
  return entry.kind === "call" ? writeCall(entry, page) : writeMessage(entry.message, page);
}

const MARGIN = "  ";

const writeMessage = ({ role, content }: LogMessage, page: Page): string[] => [
  role,
  ...indent(wrapMessage(content, narrow(page, MARGIN).width), MARGIN),
];

const RESULT_MARGIN = "  │ ";

function writeCall({ call, inside }: CallEntry, page: Page): string[] {
  const title = [`tool ${cleanLine(call.name)}`, ...listCallNotes(call)].join(" · ");
  const result = cutLines(splitLines(call.result ?? ""), RESULT_LINES);
  const { width } = narrow(page, RESULT_MARGIN);
  return [
    title,
    ...indent(writeArguments(call, narrow(page, MARGIN)), MARGIN),
    ...inside.flatMap((message) => indent(writeMessage(message, narrow(page, MARGIN)), MARGIN)),
    ...indent(
      result.flatMap((line) => wrapLine(line, width)),
      RESULT_MARGIN,
    ),
  ];
}

const writeArguments = (call: CallEntry["call"], { width }: Page): string[] =>
  listCallArguments(call).map(({ name, text }) => {
    const whole = `${name === null ? "" : `${cleanLine(name)}: `}${cleanLine(text)}`;
    const line = cutLine(whole, ARGUMENT_LENGTH);
    return width === null ? line : cutText(line, width);
  });

const writeFiles = (files: readonly string[]): string[][] =>
  files.length === 0 ? [] : [["files changed", ...indent(files.map(cleanLine), MARGIN)]];

function writeErrors(errors: readonly ErrorRecord[], page: Page): string[][] {
  if (errors.length === 0) return [];
  const { width } = narrow(page, MARGIN);
  const lines = errors.flatMap(({ code, message }) =>
    splitLines(`${code}: ${message}`).flatMap((line) => wrapLine(line, width)),
  );
  return [["errors", ...indent(lines, MARGIN)]];
}
