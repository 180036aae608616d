// What is kept of agent runs: a folder each, with the log and the raw output.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { listFolder, replaceFile } from "../../core/project/files.ts";
import { RUN_LOG, type RunLog } from "./run-log.ts";

const runsFolder = (stateDir: string): string => join(stateDir, "runs");

export const runFolder = (stateDir: string, runId: string): string =>
  join(runsFolder(stateDir), runId);

/** A new run's id, which begins with the time so that the newest sorts last, also of those of one second; and its folder. */
export function makeRunFolder(
  stateDir: string,
  now = new Date(),
): { runId: string; logDir: string } {
  const time = now.toISOString().replaceAll(/[-:.]/g, "").slice(0, 15);
  const part = now.getMilliseconds().toString(16).padStart(3, "0");
  const runId = `${time}-${part}${newId().slice(0, 8)}`;
  const logDir = runFolder(stateDir, runId);
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  return { runId, logDir };
}

const RUN_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-/;

/** `20261105T140322-3f2a…` began at `2026-11-05T14:03:22`, in UTC; null for a folder that is no run's. */
export function timeOfRun(id: string): string | null {
  const [, year, month, day, hour, minute, second] = RUN_TIME.exec(id) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** An id knows no parts of a second: a run of the same second is not before the moment. */
export const beganBefore = (startedAt: string, moment: string): boolean =>
  startedAt < moment.slice(0, startedAt.length);

export const logFile = (folder: string): string => join(folder, "log.json");

/** A run that is under way, or was ended with its host, has none. */
export const hasLog = (folder: string): boolean => existsSync(logFile(folder));

/** Takes a log whose secrets are masked; the raw files beside it are as the agent wrote them. */
export function saveLog(folder: string, keptLog: RunLog): string {
  const file = logFile(folder);
  replaceFile(file, `${JSON.stringify(keptLog, null, 2)}\n`);
  return file;
}

/** The folder of a run by the beginning of its id, with or without the time in it, or of the newest that has a log. */
export function findRun(stateDir: string, beginning: string | undefined): string {
  const all = listRuns(stateDir);
  const ids = all.filter((id) => isBegunBy(id, beginning ?? ""));
  const [newest, second] = ids;
  const isLogged = (id: string): boolean => hasLog(runFolder(stateDir, id));
  const first = beginning === undefined ? (ids.find(isLogged) ?? newest) : newest;
  if (first === undefined)
    throw fault(
      "InputInvalid",
      {
        what: "`adj agent log`",
        problem:
          beginning === undefined ? "there is no run yet" : `there is no run \`${beginning}\``,
      },
      { hint: all.length === 0 ? "runs are made by `adj agent run`" : "`adj runs` lists them" },
    );
  if (beginning !== undefined && second !== undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj agent log`", problem: `\`${beginning}\` begins ${ids.length} runs` },
      { hint: "give more of the id" },
    );
  return runFolder(stateDir, first);
}

const isBegunBy = (id: string, beginning: string): boolean =>
  id.startsWith(beginning) || id.slice(id.indexOf("-") + 1).startsWith(beginning);

/** Lists the newest first: ids begin with the time. */
export function listRuns(stateDir: string): string[] {
  return listFolder(runsFolder(stateDir)).sort().reverse();
}

export function readLog(folder: string): RunLog {
  const file = logFile(folder);
  if (!hasLog(folder)) {
    const facts = { what: `run \`${basename(folder)}\``, problem: "it has no log" };
    throw fault("InputInvalid", facts, {
      hint: "it is still under way, or was ended with its host",
    });
  }
  const parsed = RUN_LOG.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw fault("FileInvalid", { problem: "it is not the log of a run" }, { where: { file } });
}

/** Null for a run that has none, or whose folder is gone. */
export function findLog(stateDir: string, runId: string): RunLog | null {
  const folder = runFolder(stateDir, runId);
  return hasLog(folder) ? readLog(folder) : null;
}
