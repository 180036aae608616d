// Which process drives a run. A run whose driver died is there to be gone on with; one that is driven is not.
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import { errorCode } from "../../config/file-problem.ts";
import { newId } from "../../new-id.ts";
import { sightProcess } from "../../process/sighting.ts";
import { holdMark, isMarkAlive, readMark, writeMark } from "./living-mark.ts";

const markOf = (stateDir: string, runId: string): string =>
  join(stateDir, "bench", "driven", `${runId}.json`);

/** Null where another process drives it; otherwise what gives it up again. */
export function driveRun(stateDir: string, runId: string): (() => void) | null {
  const mark = markOf(stateDir, runId);
  mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
  clearDead(dirname(mark));
  const own = besideOf(mark);
  writeMark(own);
  try {
    return takeMark(mark, own) ? holdMark(mark) : null;
  } finally {
    rmSync(own, { force: true });
  }
}

/** A name of this process's own; whoever finds it can tell whether somebody still works with it. */
const besideOf = (mark: string): string => `${mark}.${process.pid}-${newId()}`;

/** What processes left that were killed in the middle of it: marks of nobody, and half-made ones. */
function clearDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const maker = /\.json\.(\d+)-/.exec(name)?.[1];
    if (maker === undefined) {
      if (!isDrivenBy(path)) dropDead(path);
    } else if (sightProcess(Number(maker)).kind === "gone") rmSync(path, { force: true });
  }
}

/** False where somebody has taken it meanwhile. */
function dropDead(mark: string): boolean {
  const moved = besideOf(mark);
  if (!moveAway(mark, moved)) return true;
  // Somebody may have taken it between the look and the move: then it is put back.
  const isOthers = isDrivenBy(moved);
  if (isOthers) linkUnlessThere(moved, mark);
  rmSync(moved, { force: true });
  return !isOthers;
}

/** Of several that try at once, one gets it. */
function takeMark(mark: string, own: string): boolean {
  for (;;) {
    if (linkUnlessThere(own, mark)) return true;
    if (isDrivenBy(mark)) return false;
    if (!dropDead(mark)) return false;
  }
}

function isDrivenBy(mark: string): boolean {
  const found = readMark(mark);
  return found !== null && isMarkAlive(mark, found, Date.now());
}

function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function moveAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Left in the middle, by nobody who still lives. */
export const isInterrupted = (stateDir: string, { state, id }: RunRecord): boolean =>
  state === "running" && !isDrivenBy(markOf(stateDir, id));

export interface SameRun {
  readonly suite: string;
  readonly definition: string;
  readonly stateDir: string;
}

/** The newest run of this very suite that was left in the middle, taken over. */
export async function takeOverRun(
  store: BenchStore,
  { suite, definition, stateDir }: SameRun,
): Promise<{ readonly run: RunRecord; readonly release: () => void } | null> {
  const runs = await store.listRuns(suite);
  const open = runs.findLast((run) => run.state === "running" && run.definition === definition);
  if (open === undefined) return null;
  const release = driveRun(stateDir, open.id);
  return release === null ? null : { run: open, release };
}
