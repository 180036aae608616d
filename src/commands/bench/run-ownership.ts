// Which process drives a run. A run whose driver died is there to be gone on with; one that is driven is not.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import type { Suite } from "../../bench/suite.ts";
import { replaceFile } from "../../config/replace-file.ts";
import { identifySelf, isAlive } from "../../process/identity.ts";

const markOf = (stateDir: string, runId: string): string =>
  join(stateDir, "bench", "driven", `${runId}.json`);

/** Answers with what gives it up again. */
export function claimRun(stateDir: string, runId: string): () => void {
  const mark = markOf(stateDir, runId);
  mkdirSync(join(stateDir, "bench", "driven"), { recursive: true, mode: 0o700 });
  replaceFile(mark, JSON.stringify(identifySelf()));
  return () => rmSync(mark, { force: true });
}

function isDriven(stateDir: string, runId: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(markOf(stateDir, runId), "utf8"))) !== false;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    // Half a mark is nobody's: marks are written whole.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export interface SameRun {
  readonly definition: string;
  readonly suite: Suite;
  readonly stateDir: string;
}

/** The newest run of this very suite that was left in the middle. */
export async function findInterrupted(
  store: BenchStore,
  { definition, suite, stateDir }: SameRun,
): Promise<RunRecord | null> {
  const runs = await store.listRuns(suite.name);
  const open = runs.findLast((run) => run.state === "running" && run.definition === definition);
  return open === undefined || isDriven(stateDir, open.id) ? null : open;
}
