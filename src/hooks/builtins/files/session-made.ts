// What an agent made in this session, as the hooks saw it: paths that were not there before it wrote them. Kept in a file
// of the session, one path a line, so that steps in several processes only ever add to it.
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorCode } from "../../../core/project/files.ts";

const MAX_NOTED_AT_ONCE = 200;
const MAX_BYTES = 262_144;
/** Nothing is written under a longer one, and each of its folders would be looked up. */
const MAX_PATH_LENGTH = 4_096;

const fileIn = (sessionDir: string): string => join(sessionDir, "made");

/** Of the paths that are about to be written those that are new. Where nothing can be noted, deletes are asked about. */
export function noteMade(sessionDir: string, paths: readonly string[]): void {
  const fresh = paths
    .slice(0, MAX_NOTED_AT_ONCE)
    .filter((path) => path.length <= MAX_PATH_LENGTH && !path.includes("\n"))
    .filter((path) => !isThere(path));
  if (fresh.length === 0) return;
  // The topmost folder that is new stands for all that will be in it.
  const tops = new Set(fresh.map(topOf));
  try {
    const file = fileIn(sessionDir);
    if (sizeOf(file) > MAX_BYTES) return;
    mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
    appendFileSync(file, [...tops].map((path) => `${path}\n`).join(""), { mode: 0o600 });
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
  }
}

/** Whether a path, or a folder that it is in, was made in the session. */
export function readMade(sessionDir: string): (path: string) => boolean {
  const made = new Set(readText(fileIn(sessionDir)).split("\n"));
  return (path) => {
    for (let each = path; each !== dirname(each); each = dirname(each))
      if (made.has(each)) return true;
    return false;
  };
}

function topOf(path: string): string {
  let top = path;
  while (!existsSync(dirname(top)) && dirname(top) !== top) top = dirname(top);
  return top;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file).size;
  } catch {
    return 0;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return "";
  }
}
