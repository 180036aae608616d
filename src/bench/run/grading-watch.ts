// Whether anybody but the evaluators writes where an agent's work is graded. Without a sandbox a process of the agent
// may be left that no trace leads to; then what it does must show.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { compareTrees, stampTree } from "../files/compare-trees.ts";
import { copyTree, removeTree } from "../files/tree.ts";

export interface GradingWatch {
  /** Throws where something that nobody may write to was written to; `when` names the evaluator at work. */
  check(when: string): Promise<void>;
  /** From here on nobody writes there: its evaluator is done. */
  seal(folder: string): Promise<void>;
}

/** Folders that nobody may write to, as they are now. */
export async function watchGrading(folders: readonly string[]): Promise<GradingWatch> {
  const stamps = new Map<string, string>();
  const seal = async (folder: string) => void stamps.set(folder, await stampTree(folder));
  for (const folder of folders) await seal(folder);
  return {
    seal,
    check: async (when) => {
      for (const [folder, stamp] of stamps) {
        // A folder that cannot be read any more was changed.
        const now = await stampTree(folder).catch(() => "");
        if (now !== stamp) throw outsideError(findStampChange(stamp, now, folder), when);
      }
    },
  };
}

const outsideError = (path: string, when: string): Error =>
  new Error(`something else than an evaluator wrote to \`${path}\` ${when}`);

/** The first path whose line is another one; a folder changes with what is added to it. */
function findStampChange(before: string, after: string, folder: string): string {
  const known = new Set(before.split("\n"));
  const changed = after.split("\n").filter((line) => line !== "" && !known.has(line));
  const path = /^(.*) \d+ \d+ \d+ \d+$/.exec(changed.at(-1) ?? "")?.[1] ?? folder;
  return path.slice(path.lastIndexOf("/", folder.length - 1) + 1);
}

/** Longer than a process would wait that looks for something to spoil, and nothing beside an agent's run. */
const DECOY_MS = 250;

/**
 * A copy like the one that is going to be graded, at the very place, that nobody grades. Whoever waits for the real
 * one has written to it by then.
 */
export async function detectIntruders(snapshot: string, decoy: string): Promise<void> {
  await copyTree(snapshot, decoy);
  const stamp = await stampTree(decoy);
  await pause(DECOY_MS);
  // The same holds of the decoy; what can no longer be compared has another stamp.
  const after = await stampTree(decoy).catch(() => "");
  const changes = await compareTrees(snapshot, decoy).catch(() => []);
  const isTouched = after !== stamp || changes.length > 0;
  const [first] = changes;
  const path = first?.path ?? findStampChange(stamp, after, decoy);
  if (isTouched)
    throw outsideError(join("grading", path), "before grading began: the agent left a process");
  await removeTree(decoy);
}
