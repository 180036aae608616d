import type { RunLog } from "../run-log.ts";
import { listFacts } from "./transcript-facts.ts";
import {
  describeArguments,
  describeOutcome,
  listParts,
  type TranscriptPart,
} from "./transcript-parts.ts";
import { wrapText } from "./wrap-text.ts";

export interface TextOptions {
  /** Columns; 80 by default. */
  readonly width?: number;
}

/** Lines of a tool's result that are shown. */
const RESULT_LINES = 20;

/** A run to be read in a terminal: plain text, no escape sequences. */
export function writeTextTranscript(log: RunLog, { width = 80 }: TextOptions = {}): string {
  const facts = listFacts(log);
  const column = Math.max(...facts.map(([name]) => name.length)) + 2;
  const head = facts.map(([name, value]) => `${name.padEnd(column)}${value}`);
  const parts = listParts(log).map((part) => writePart(part, Math.max(20, width)));
  const errors = log.errors.map(({ code, message }) => wrapText(`! ${code}: ${message}`, width, 2));
  return [head.join("\n"), ...parts, ...errors].join("\n\n");
}

function writePart(part: TranscriptPart, width: number): string {
  if (part.kind === "words") {
    const name = part.isNested ? `${part.role} (sub-agent)` : part.role;
    return `${name}:\n${wrapText(part.text, width - 2, 2)}`;
  }
  const { call } = part;
  const title = `> ${call.name} ${describeArguments(call)}`.trimEnd();
  const lines = (call.result ?? "").trimEnd().split("\n");
  const shown = lines.slice(0, RESULT_LINES).map((line) => `  | ${line}`);
  const more = lines.length - RESULT_LINES;
  if (more > 0) shown.push(`  | … ${more} more lines`);
  const body = call.result ? shown : [];
  return [wrapText(title, width, 2, ""), `  ${describeOutcome(call)}`, ...body].join("\n");
}
