// What is kept of agent runs: a folder each, with the log and the raw output.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { replaceFile } from "../../core/project/files.ts";
import { RUN_LOG, type RunLog } from "./run-log.ts";

const runsFolder = (stateDir: string): string => join(stateDir, "runs");

export const runFolder = (stateDir: string, runId: string): string =>
  join(runsFolder(stateDir), runId);

/** A new run's id, which begins with the time, and its folder. */
export function makeRunFolder(stateDir: string): { runId: string; logDir: string } {
  const time = new Date().toISOString().replaceAll(/[-:.]/g, "").slice(0, 15);
  const runId = `${time}-${newId().slice(0, 8)}`;
  const logDir = join(runsFolder(stateDir), runId);
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  return { runId, logDir };
}

/** Takes a log whose secrets are masked; the raw files beside it are as the agent wrote them. */
export function saveLog(folder: string, keptLog: RunLog): string {
  const file = join(folder, "log.json");
  replaceFile(file, `${JSON.stringify(keptLog, null, 2)}\n`);
  return file;
}

/** The folder of a run by the beginning of its id, with or without the time in it, or of the newest of all. */
export function findRun(stateDir: string, beginning: string | undefined): string {
  const ids = listRuns(stateDir).filter((id) => isBegunBy(id, beginning ?? ""));
  const [first, second] = ids;
  if (first === undefined)
    throw fault(
      "InputInvalid",
      {
        what: "`adj agent log`",
        problem:
          beginning === undefined ? "there is no run yet" : `there is no run \`${beginning}\``,
      },
      { hint: "runs are made by `adj agent run`" },
    );
  if (beginning !== undefined && second !== undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj agent log`", problem: `\`${beginning}\` begins ${ids.length} runs` },
      { hint: "give more of the id" },
    );
  return join(runsFolder(stateDir), first);
}

const isBegunBy = (id: string, beginning: string): boolean =>
  id.startsWith(beginning) || id.slice(id.indexOf("-") + 1).startsWith(beginning);

/** Lists the newest first: ids begin with the time. */
export function listRuns(stateDir: string): string[] {
  try {
    return readdirSync(runsFolder(stateDir)).sort().reverse();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

export function readLog(folder: string): RunLog {
  const file = join(folder, "log.json");
  const parsed = RUN_LOG.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw fault("FileInvalid", { problem: "it is not the log of a run" }, { where: { file } });
}
