// What `adj prune` may take of the runs of agents.
import {
  newestIn,
  type OldThings,
  oldFiles,
  type PruneSearch,
} from "../../core/commands/prune/old-things.ts";
import { beganBefore, hasLog, listRuns, runFolder, timeOfRun } from "../log/run-files.ts";

/** A run without a log is under way, or was killed: it counts as over when nothing was written for so long. */
const SILENT_MS = 24 * 3_600_000;

export async function findOldAgentRuns({ before, program }: PruneSearch): Promise<OldThings[]> {
  const { stateDir } = program;
  const limit = before.toISOString();
  const folders = listRuns(stateDir)
    .filter((id) => beganBefore(timeOfRun(id) ?? limit, limit))
    .map((id) => runFolder(stateDir, id))
    .filter((folder) => isOver(folder, before));
  return oldFiles("runs of agents", folders);
}

function isOver(folder: string, before: Date): boolean {
  const newest = newestIn(folder);
  if (newest === null || newest >= before.getTime()) return false;
  return hasLog(folder) || newest < Date.now() - SILENT_MS;
}
