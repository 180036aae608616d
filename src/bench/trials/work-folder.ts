// What lies in the folder that the trials of one process have in common.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "./tree-files.ts";

export const TRIAL_PREFIX = "trial-";
export const JUDGE_PREFIX = "judge-";
/** Files of suites that came from another machine. */
export const SUITES = "suites";

/** In the place of one trial; the last two are what its agent printed. */
const OF_TRIAL: ReadonlySet<string> = new Set(["workspace", "base", "stdout", "stderr"]);

const isOurs = (name: string): boolean =>
  name === SUITES || name.startsWith(TRIAL_PREFIX) || name.startsWith(JUDGE_PREFIX);

/**
 * An agent can write beside its workspace and above it, and programs look there: `../node_modules` would be
 * found from where its work is graded.
 */
export async function removePlanted(workDir: string, place: string): Promise<void> {
  await removeOthers(place, (name) => OF_TRIAL.has(name));
  await removeOthers(workDir, isOurs);
}

async function removeOthers(folder: string, isKept: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (!isKept(name)) await removeTree(join(folder, name));
}
