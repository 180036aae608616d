// What is kept of agent runs: a folder each, with the log and the raw output.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RUN_LOG, type RunLog } from "../../agents/run-log.ts";
import { fault } from "../../command/fault.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { replaceFile } from "../../config/replace-file.ts";

const runsFolder = (stateDir: string): string => join(stateDir, "runs");

/** The folder of a new run. */
export function makeRunFolder(stateDir: string, runId: string): string {
  const folder = join(runsFolder(stateDir), runId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Secrets are masked here; the raw files beside it are as the agent wrote them. */
export function saveLog(folder: string, log: RunLog, secrets: readonly string[] = []): string {
  const file = join(folder, "log.json");
  const mask = (_: string, value: unknown): unknown =>
    typeof value === "string" ? maskSecrets(value, secrets) : value;
  replaceFile(file, `${JSON.stringify(log, mask, 2)}\n`);
  return file;
}

/** By the beginning of its id, or the newest of all. */
export function findRun(stateDir: string, beginning: string | undefined): string {
  const ids = listRuns(stateDir).filter((id) => id.startsWith(beginning ?? ""));
  const [first, second] = ids;
  if (first === undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj agent log`", problem: `there is no run \`${beginning ?? ""}\`` },
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

/** The newest first: ids begin with the time. */
function listRuns(stateDir: string): string[] {
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
