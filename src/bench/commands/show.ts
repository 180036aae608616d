// `adj bench show CASE/AGENT/REPETITION [RUN]`: why did this one fail?
import { RUN_LOG } from "../../agents/log/run-log.ts";
import { cleanText } from "../../agents/log/text.ts";
import { writeTextTranscript } from "../../agents/log/transcript/text.ts";
import { fault } from "../../core/command/fault.ts";
import { nearestNames } from "../../core/command/names.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable, plainLine } from "../../core/terminal/text-columns.ts";
import { formatCount, formatScore, formatSeconds } from "../report/figures.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { findRunRecord, requireWord, withStore } from "./context.ts";

export const showTrial = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const wanted = requireWord(args, "a trial, `CASE/AGENT/REPETITION`");
    const run = await findRunRecord(store, args.words[1]);
    const result = pickTrial(await store.results(run.id), wanted, {
      run,
      hintFlag: store.hintFlag,
    });
    const kept = await readKept(result, store);
    const contents = Object.fromEntries(
      [...kept].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    );
    return ok(trialReport(result, kept, screenWidth(bench.context)), { result, contents });
  });

/** By its key, or by a beginning that only one has; with `CASE/AGENT` the first that did not pass. */
function pickTrial(
  results: readonly TrialResult[],
  wanted: string,
  { run, hintFlag }: { readonly run: SuiteRunRecord; readonly hintFlag: string },
): TrialResult {
  const fitting = results.filter(({ key }) => key === wanted || key.startsWith(`${wanted}/`));
  const found = fitting.find(({ ending }) => ending !== "passed") ?? fitting[0];
  if (found !== undefined) return found;
  const near = nearestNames(
    wanted,
    results.map(({ key }) => key),
  );
  throw fault(
    "InputInvalid",
    { what: "`adj bench show`", problem: `run ${run.id.slice(0, 8)} has no trial \`${wanted}\`` },
    {
      hint:
        near.length > 0
          ? `did you mean \`${near[0]}\`?`
          : `\`adj bench report${hintFlag}\` lists its cases`,
    },
  );
}

async function readKept(
  { artifacts }: TrialResult,
  store: Pick<BenchStore, "getContent">,
): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>();
  for (const [name, hash] of Object.entries(artifacts)) {
    const bytes = await store.getContent(hash);
    if (bytes !== null) kept.set(name, bytes);
  }
  return kept;
}

// One trial to be read: how it ended, what each evaluator said, what was kept, what the agent did.

const LOG = "log.json";
const COLUMNS = ["EVALUATOR", "STATUS", "SCORE", "WEIGHT", "TIME", "MESSAGE"].map((title) => ({
  title,
}));
const MAX_LINES = 200;

/** `kept` is the content of the trial's artifacts by name. */
function trialReport(
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
