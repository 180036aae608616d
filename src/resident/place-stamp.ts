// The state of everything that says which commands a place has: while it is the same text, what was loaded stays
// true. A few stats; a folder with very many files is not worth them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { fingerprint } from "../config/fingerprint.ts";
import type { Paths } from "../config/paths.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import { trustFolder } from "../config/trust-store.ts";

const MOST_FILES = 300;
const MOST_DEEP = 4;

export interface Place {
  readonly paths: Paths;
  readonly root: string;
}

/** Null where there is too much to look at. */
export function stampPlace({ paths, root }: Place): string | null {
  const files: string[] = [join(trustFolder(paths.stateDir, root), "current.json")];
  for (const folder of [paths.configDir, join(root, LAYER_FOLDER)])
    if (!listFiles(folder, files, MOST_DEEP)) return null;
  return files.map((file) => `${file} ${fingerprint(file)}`).join("\n");
}

/** False when there are too many. */
function listFiles(folder: string, files: string[], deep: number): boolean {
  for (const entry of readFolder(folder)) {
    // What is installed there is named by the files beside it.
    if (entry.name === "node_modules" || entry.name === ".git") continue;
    const path = join(folder, entry.name);
    files.push(path);
    if (files.length > MOST_FILES) return false;
    if (entry.isDirectory() && deep > 0 && !listFiles(path, files, deep - 1)) return false;
  }
  return true;
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === null) throw error;
    // Not there, not a folder, not to be read: whoever loads it says what is wrong.
    return [];
  }
}
