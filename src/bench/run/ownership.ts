// Which process drives a run. A run whose driver died is there to be gone on with; one that is driven is not.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { newId } from "../../core/command/new-id.ts";
import { identifySelf, isAlive, readProcessState } from "../../core/process/identity.ts";
import { fileErrorCode, replaceFile } from "../../core/project/files.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";

const ownerFileOf = (stateDir: string, runId: string): string =>
  join(stateDir, "bench", "driven", `${runId}.json`);

/** Null where another process drives it; otherwise what gives it up again. */
export function driveRun(stateDir: string, runId: string): (() => void) | null {
  const mark = ownerFileOf(stateDir, runId);
  mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
  clearDead(dirname(mark));
  const own = besideOf(mark);
  writeOwnerFile(own);
  try {
    return takeOwnerFile(mark, own) ? holdOwnerFile(mark) : null;
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
    } else if (readProcessState(Number(maker)).kind === "gone") rmSync(path, { force: true });
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
function takeOwnerFile(mark: string, own: string): boolean {
  for (;;) {
    if (linkUnlessThere(own, mark)) return true;
    if (isDrivenBy(mark)) return false;
    if (!dropDead(mark)) return false;
  }
}

function isDrivenBy(mark: string): boolean {
  const found = readOwnerFile(mark);
  return found !== null && isOwnerAlive(mark, found, Date.now());
}

function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (fileErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function moveAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Left in the middle, by nobody who still lives. */
export const isInterrupted = (stateDir: string, { state, id }: SuiteRunRecord): boolean =>
  state === "running" && !isDrivenBy(ownerFileOf(stateDir, id));

export interface SameRun {
  readonly suite: string;
  readonly definition: string;
  readonly stateDir: string;
}

/** The newest run of this very suite that was left in the middle, taken over. */
export async function takeOverRun(
  store: BenchStore,
  { suite, definition, stateDir }: SameRun,
): Promise<{ readonly run: SuiteRunRecord; readonly release: () => void } | null> {
  const runs = await store.listRuns(suite);
  const open = runs.findLast((run) => run.state === "running" && run.definition === definition);
  if (open === undefined) return null;
  const release = driveRun(stateDir, open.id);
  return release === null ? null : { run: open, release };
}

// A file that says which process something belongs to, so that another can tell when nobody is left.

const OWNER_FILE = z.object({
  owner: z.object({ pid: z.number(), startedAt: z.string(), host: z.string() }),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type OwnerFile = z.infer<typeof OWNER_FILE>;

const BEAT_MS = 5_000;
/** An owner that cannot be seen (another boot, another machine) is heard every few seconds, or is gone. */
const SILENCE_MS = 60_000;

export const writeOwnerFile = (file: string, facts: OwnerFile["facts"] = {}): void =>
  replaceFile(file, JSON.stringify({ owner: identifySelf(), facts }));

/** Null for what is not there, or is no mark: marks are written whole. */
export function readOwnerFile(file: string): OwnerFile | null {
  try {
    const checked = OWNER_FILE.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return checked.success ? checked.data : null;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

export function isOwnerAlive(file: string, { owner }: OwnerFile, now: number): boolean {
  const seen = isAlive(owner);
  if (seen !== "unseen") return seen;
  try {
    return now - statSync(file).mtimeMs < SILENCE_MS;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Keeps saying that somebody is there; answers with what ends that and takes the mark away. */
export function holdOwnerFile(file: string): () => void {
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch (error) {
      // Whoever removed the state folder under a run hears of it from the store.
      if (fileErrorCode(error) === null) throw error;
    }
  }, BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}
