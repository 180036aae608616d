import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import * as z from "zod/mini";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import {
  choiceArgument,
  countArgument,
  defineBundled,
  type Program,
  textArgument,
} from "../../core/commands/bundled.ts";
import { readMoment } from "../../core/commands/log/filter.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { readJsonObject } from "../../core/project/kept-value.ts";
import { findProjectRoot } from "../../core/project/paths.ts";
import { formatLocalTime, screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { formatCost, formatDuration, groupDigits } from "../log/figures.ts";
import { asName, asText } from "../log/json-fields.ts";
import { beganBefore, listRuns, logFile, runFolder, timeOfRun } from "../log/run-files.ts";
import { agentNameOf, requireAdapter } from "../roster.ts";

const MAX_LISTED = 20;

const GROUPS = ["day", "agent", "model", "project"] as const;
type Group = (typeof GROUPS)[number];

export default defineBundled({
  name: "runs",
  description: "List the runs of agents, turns too: how they ended and what they cost",
  category: "record",
  safety: "read_only",
  env: [WIDTH_VARIABLE],
  examples: ["adj runs", "adj runs --agent codex --since 7d", "adj runs --by day --since 30d"],
  textParts: ["table"],
  args: z.strictObject({
    agent: textArgument("only this agent's", { plain: true }),
    project: textArgument("only those below this folder, `.` for here", { file: true }),
    since: textArgument("from this time on: `2h` ago, or `2026-11-05`", { plain: true }),
    by: choiceArgument(GROUPS, "sums for each of these instead of a list"),
    last: countArgument(`the newest so many; ${MAX_LISTED} by default`),
  }),
  run: async ({ by, last, ...words }, context, program) => {
    // Sums are of all that fit.
    const limit = last ?? (by === undefined ? MAX_LISTED : Number.POSITIVE_INFINITY);
    const runs = selectRuns({ ...words, limit }, context, program);
    if (runs.length === 0) return describeNone(words.agent, program);
    return by === undefined ? showList(runs, context) : showSums(runs, by, context);
  },
});

/** An agent that is gone may have runs; a name that neither a run nor an agent has is a mistake. */
async function describeNone(
  agent: string | undefined,
  { stateDir }: Program,
): Promise<CommandResult> {
  if (agent !== undefined) await requireAdapter(agent);
  const isEmpty = listRuns(stateDir).length === 0;
  return ok(
    isEmpty
      ? "no run yet; `adj agent run` makes one"
      : "no run is kept that fits; `adj runs` lists all",
    { runs: [] },
  );
}

interface RunWords {
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly since?: string | undefined;
  readonly limit: number;
}

/** Opened one by one, so that a list of twenty does not read a thousand. */
function selectRuns(
  { agent, project, since, limit }: RunWords,
  { workingDirectory }: CommandContext,
  { stateDir }: Program,
): readonly KeptRun[] {
  const moment = since === undefined ? null : readMoment(since, new Date());
  if (since !== undefined && moment === null)
    throw misuse("runs", "`--since` is a duration like `2h` or a time like `2026-11-05T14:00`");
  const name = agent === undefined ? null : agentNameOf(agent);
  const folder = project === undefined ? null : resolve(workingDirectory, project);
  const fits = (run: KeptRun): boolean =>
    (name === null || run.agent === name) &&
    (folder === null || `${run.folder ?? ""}${sep}`.startsWith(`${folder}${sep}`));
  const found: KeptRun[] = [];
  for (const run of readRunSummaries(stateDir, moment?.toISOString() ?? null)) {
    if (fits(run)) found.push(run);
    if (found.length === limit) break;
  }
  return found;
}

const COLUMNS = [
  { title: "RUN" },
  { title: "STARTED" },
  { title: "AGENT" },
  { title: "MODEL", least: 12 },
  { title: "ENDED" },
  { title: "TIME" },
  { title: "TOKENS" },
  { title: "COST" },
  { title: "FOLDER", least: 12, cut: "start" },
] as const;

function showList(runs: readonly KeptRun[], context: CommandContext): CommandResult {
  const lines = formatTable(COLUMNS, runs.map(rowOf), screenWidth(context));
  return ok(lines.join("\n"), { runs });
}

/** What comes after the time is enough for `adj agent log`. */
const shortId = (id: string): string => id.slice(id.indexOf("-") + 1);

const rowOf = (run: KeptRun): string[] => [
  shortId(run.id),
  formatLocalTime(run.startedAt),
  run.agent ?? "",
  run.model ?? "",
  run.status ?? "no log yet",
  run.durationMs === null ? "" : formatDuration(run.durationMs),
  run.tokens === null ? "" : groupDigits(run.tokens),
  run.usd === null ? "" : formatCost(run.usd),
  run.folder ?? "",
];

function showSums(runs: readonly KeptRun[], by: Group, context: CommandContext): CommandResult {
  const sums = sumRuns(runs, (run) => keyOf(run, by));
  const all = sums.length < 2 ? [] : sumRuns(runs, () => "all");
  const columns = [
    { title: by.toUpperCase() },
    ...["RUNS", "FAILED", "TOKENS", "COST", "COST UNKNOWN"].map((title) => ({ title })),
  ];
  const lines = formatTable(columns, [...sums, ...all].map(sumRowOf), screenWidth(context));
  return ok(lines.join("\n"), { by, sums });
}

function keyOf({ startedAt, agent, model, folder }: KeptRun, by: Group): string {
  if (by === "day") return formatLocalTime(startedAt).slice(0, 10);
  if (by === "project") return folder === null ? "unknown" : projectOf(folder);
  return (by === "agent" ? agent : model) ?? "unknown";
}

/** A workspace that was removed is a project of its own. */
const projectOf = (folder: string): string =>
  existsSync(folder) ? findProjectRoot(folder) : folder;

const sumRowOf = ({ key, runs, failed, tokens, usd, unpriced }: KeptRunTotals): string[] => [
  key,
  groupDigits(runs),
  failed === 0 ? "" : groupDigits(failed),
  groupDigits(tokens),
  // A sum of nothing but unknown costs is unknown itself.
  unpriced === runs ? "" : formatCost(usd),
  unpriced === 0 ? "" : groupDigits(unpriced),
];

// What ran and what it cost: the kept logs of runs, a line each, and sums of them.

/** Of a run that is under way, or whose log cannot be read, only the id and its time are known. */
interface KeptRun {
  readonly id: string;
  readonly startedAt: string;
  readonly status: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly folder: string | null;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  /** Null where the agent did not say; it is not nothing. */
  readonly usd: number | null;
}

/** Newest first; `since` is looked up in the ids, which begin with the time, so older logs are not opened. */
function* readRunSummaries(stateDir: string, since: string | null): Generator<KeptRun> {
  for (const id of listRuns(stateDir)) {
    const startedAt = timeOfRun(id);
    if (startedAt === null) continue;
    if (since !== null && beganBefore(startedAt, since)) return;
    yield summarize(id, startedAt, stateDir);
  }
}

/** Checked by nobody: a log of another version still has its figures in the same places. */
function summarize(id: string, startedAt: string, stateDir: string): KeptRun {
  const log = asRecord(readJsonObject(logFile(runFolder(stateDir, id))));
  const execution = asRecord(log.execution);
  return {
    id,
    startedAt: asText(execution.started_at) ?? `${startedAt}Z`,
    status: asText(execution.status),
    agent: asText(asRecord(log.agent_info).name),
    model: asText(asRecord(log.model_info).name),
    folder: asName(asRecord(log.environment).working_directory),
    durationMs: numberOf(execution.duration_ms),
    tokens: numberOf(asRecord(log.usage).total_tokens),
    usd: numberOf(asRecord(log.cost).usd),
  };
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

interface KeptRunTotals {
  readonly key: string;
  readonly runs: number;
  readonly failed: number;
  readonly tokens: number;
  readonly usd: number;
  /** Runs whose cost nobody said, which the sum does not hold. */
  readonly unpriced: number;
}

/** One line for each key, in the order of the keys' first runs. */
function sumRuns(
  runs: readonly KeptRun[],
  keyOf: (run: KeptRun) => string,
): readonly KeptRunTotals[] {
  return [...Map.groupBy(runs, keyOf)].map(([key, own]) => ({
    key,
    runs: own.length,
    failed: own.filter(({ status }) => status !== null && status !== "success").length,
    tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    usd: own.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    unpriced: own.filter(({ usd }) => usd === null).length,
  }));
}
