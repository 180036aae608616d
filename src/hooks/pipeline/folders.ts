// Whether the folders that guards are read from can be looked into. What is there and cannot be read hides guards.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { describeFileError } from "../../core/project/files.ts";
import type { Paths } from "../../core/project/paths.ts";

/** Folders that are not there yet are no fault. */
export function requireFolders({ stateDir, configDir }: Paths): void {
  for (const folder of [stateDir, configDir, join(stateDir, "trust")]) {
    const problem = problemOf(folder);
    if (problem === null) continue;
    const hint = "make it a folder that you can read and write, then look with `adj doctor`";
    throw fault("FolderUnreadable", { path: folder, problem }, { hint });
  }
}

function problemOf(folder: string): string | null {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat === undefined)
      return lstatSync(folder, { throwIfNoEntry: false }) ? "it is a link to nothing" : null;
    if (!stat.isDirectory()) return "it is not a folder";
    accessSync(folder, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    return describeFileError(error);
  }
}
