import type { RunLog } from "../run-log.ts";
import { listFacts } from "./transcript-facts.ts";
import {
  describeArguments,
  describeOutcome,
  listParts,
  type TranscriptPart,
} from "./transcript-parts.ts";

/** A run as Markdown, for an issue or a pull request. */
export function writeMarkdownTranscript(log: RunLog): string {
  const facts = listFacts(log).map(([name, value]) => `| ${name} | ${escapeCell(value)} |`);
  const errors = log.errors.map(({ code, message }) => `- \`${code}\`: ${escapeInline(message)}`);
  return [
    `# Run of ${log.agent_info.name}`,
    ["| | |", "|---|---|", ...facts].join("\n"),
    ...listParts(log).map(writePart),
    ...(errors.length === 0 ? [] : ["## Errors", errors.join("\n")]),
    "",
  ].join("\n\n");
}

function writePart(part: TranscriptPart): string {
  if (part.kind === "words")
    return `## ${part.role}${part.isNested ? " (sub-agent)" : ""}\n\n${quote(part.text)}`;
  const { call } = part;
  const title = `### ${escapeInline(call.name)} – ${describeOutcome(call)}`;
  const result = call.result ? `\n\n${fence(call.result)}` : "";
  return `${title}\n\n${fence(describeArguments(call))}${result}`;
}

/** As a quotation, so that headings and rules of an answer stay inside it. */
const quote = (text: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** A fence that is longer than any inside the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}\n${text.trimEnd()}\n${mark}`;
}

const escapeInline = (text: string): string =>
  text.replace(/[\\`*_<>[\]#|]/g, (char) => `\\${char}`).replace(/\s*\n\s*/g, " ");

const escapeCell = escapeInline;
