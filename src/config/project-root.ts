import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fault } from "../command/fault.ts";
import { problemOf } from "./file-problem.ts";

/** The folder of the project's layer, below its root. */
export const LAYER_FOLDER = ".adjutant";

/** The nearest folder with `.git` (a worktree has a file of that name), else with `.adjutant`, else `cwd`. */
export function findProjectRoot(cwd: string): string {
  const start = resolveLinks(cwd);
  return findUpwards(start, ".git") ?? findUpwards(start, LAYER_FOLDER) ?? start;
}

function resolveLinks(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch (error) {
    const facts = { path: cwd, problem: problemOf(error) };
    throw fault("FolderUnreadable", facts, { hint: "go to a folder that exists", cause: error });
  }
}

function findUpwards(start: string, name: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
