// What ran and what it cost: the kept logs of runs, a line each, and sums of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileErrorCode } from "../../core/project/files.ts";
import { asName, asRecord, asText } from "./json-fields.ts";
import { listRuns, runFolder } from "./run-files.ts";

/** Of a run that is under way, or whose log cannot be read, only the id and its time are known. */
export interface KeptRun {
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
export function* readRunSummaries(stateDir: string, since: string | null): Generator<KeptRun> {
  for (const id of listRuns(stateDir)) {
    const startedAt = timeOfRun(id);
    if (startedAt === null) continue;
    if (since !== null && startedAt < since.slice(0, startedAt.length)) return;
    yield summarize(id, startedAt, readLogFile(join(runFolder(stateDir, id), "log.json")));
  }
}

const RUN_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-/;

/** `20261105T140322-3f2a…` began at `2026-11-05T14:03:22`, in UTC; null for a folder that is no run's. */
export function timeOfRun(id: string): string | null {
  const [, year, month, day, hour, minute, second] = RUN_TIME.exec(id) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** Checked by nobody: a log of another version still has its figures in the same places. */
function readLogFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || fileErrorCode(error) !== null) return null;
    throw error;
  }
}

function summarize(id: string, startedAt: string, value: unknown): KeptRun {
  const log = asRecord(value);
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

export interface KeptRunTotals {
  readonly key: string;
  readonly runs: number;
  readonly failed: number;
  readonly tokens: number;
  readonly usd: number;
  /** Runs whose cost nobody said, which the sum does not hold. */
  readonly unpriced: number;
}

/** One line for each key, in the order of the keys' first runs. */
export function sumRuns(
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
