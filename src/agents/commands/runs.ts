import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import * as z from "zod/mini";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { defineBundled, type Program, textArgument } from "../../core/commands/bundled.ts";
import { readMoment } from "../../core/commands/log/filter.ts";
import { findProjectRoot } from "../../core/project/paths.ts";
import { formatLocalTime, screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { formatCost, formatDuration, groupDigits } from "../log/figures.ts";
import {
  type KeptRun,
  type KeptRunTotals,
  readRunSummaries,
  sumRuns,
} from "../log/run-summaries.ts";
import { agentNameOf } from "../roster.ts";

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
  args: z.strictObject({
    agent: textArgument("only this agent's", { plain: true }),
    project: textArgument("only those below this folder, `.` for here", { file: true }),
    since: textArgument("from this time on: `2h` ago, or `2026-11-05`", { plain: true }),
    by: z.optional(
      z
        .enum(GROUPS)
        .check(z.meta({ plain: true, description: "sums for each of these instead of a list" })),
    ),
    last: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.meta({ plain: true, description: `the newest so many; ${MAX_LISTED} by default` }),
        ),
    ),
  }),
  run: ({ by, last, ...words }, context, program) => {
    // Sums are of all that fit.
    const limit = last ?? (by === undefined ? MAX_LISTED : Number.POSITIVE_INFINITY);
    const runs = selectRuns({ ...words, limit }, context, program);
    if (runs.length === 0) return ok("no run is kept that fits", { runs });
    return by === undefined ? showList(runs, context) : showSums(runs, by, context);
  },
});

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
