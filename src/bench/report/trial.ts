// One trial to be read: how it ended, what each evaluator said, what was kept, what the agent did.
import { RUN_LOG } from "../../agents/log/run-log.ts";
import { cleanText } from "../../agents/log/text.ts";
import { writeTextTranscript } from "../../agents/log/transcript/text.ts";
import { formatTable, plainLine } from "../../core/terminal/text-columns.ts";
import type { TrialResult } from "../suite/trial.ts";
import { formatCount, formatScore, formatSeconds } from "./figures.ts";

const LOG = "log.json";
const COLUMNS = ["EVALUATOR", "STATUS", "SCORE", "WEIGHT", "TIME", "MESSAGE"].map((title) => ({
  title,
}));
const MAX_LINES = 200;

/** `kept` is the content of the trial's artifacts by name. */
export function trialReport(
  result: TrialResult,
  kept: ReadonlyMap<string, Uint8Array>,
  width: number | null,
): string {
  const log = kept.get(LOG);
  const files = [...kept].filter(([name, bytes]) => name !== LOG && bytes.length > 0);
  const blocks = [
    headLines(result),
    result.evaluations.length === 0 ? [] : formatTable(COLUMNS, evaluationRows(result), width),
    ...files.map(([name, bytes]) => [`--- ${plainLine(name)} ---`, ...contentLines(bytes)]),
    log === undefined ? [] : ["--- transcript ---", transcriptOf(log, width)],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function headLines(result: TrialResult): string[] {
  const { key, ending, reason, runId, attempts, reusedFrom } = result;
  const facts = [
    `score ${formatScore(result.score)}`,
    formatSeconds(result.durationMs),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    `run ${runId.slice(0, 8)}`,
    ...(reusedFrom === null ? [] : [`known from run ${reusedFrom.slice(0, 8)}`]),
  ];
  const head = `${key} ${ending}${reason === null ? "" : `: ${reason}`}`;
  return [head, facts.join(", ")].map(plainLine);
}

const evaluationRows = ({ evaluations }: TrialResult): string[][] =>
  evaluations.map(({ id, status, score: grade, weight, durationMs, message }) => [
    id,
    status,
    formatScore(grade),
    String(weight),
    formatSeconds(durationMs),
    message,
  ]);

function contentLines(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString();
  if (text.includes("\0")) return [`${formatCount(bytes.length)} bytes that are no text`];
  const lines = cleanText(text).trimEnd().split("\n");
  const more = lines.length - MAX_LINES;
  return more > 0
    ? [...lines.slice(0, MAX_LINES), `… and ${formatCount(more)} lines more; \`--json\` has all`]
    : lines;
}

function transcriptOf(bytes: Uint8Array, width: number | null): string {
  const log = RUN_LOG.safeParse(JSON.parse(Buffer.from(bytes).toString()));
  if (!log.success) return "the log of this trial was written by another version";
  return writeTextTranscript(log.data, width === null ? {} : { width }).trimEnd();
}
