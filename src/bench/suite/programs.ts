// The programs that a suite, its agents and its evaluators name, as files. What such a file says decides as much as the
// words of the suite do, so it belongs to the fingerprint.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { statOf } from "../../core/project/files.ts";

export interface NamedFilesOptions {
  /** What a relative path is relative to: the suite's folder. */
  readonly folder: string;
  /** For `~`, `$HOME` and names on PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Every word in any text of the value that is a file: by its absolute path, beside the suite, or as a script on
 * PATH. A word that happens to be a file's name makes one more result stale when that file changes, no more.
 */
export function listNamedFiles(value: unknown, options: NamedFilesOptions): string[] {
  const words = new Set(collectTexts(value).flatMap(splitWords));
  return [...new Set([...words].flatMap((word) => findNamed(word, options)))].toSorted();
}

function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectTexts);
}

/** The whole text counts too: a path may hold spaces. */
const splitWords = (text: string): string[] => [text, ...text.split(/[\s"'`;|&<>()=,]+/)];

function findNamed(word: string, { folder, env }: NamedFilesOptions): string[] {
  if (word === "" || word.length > MAX_PATH_LENGTH || word.includes("\0")) return [];
  const path = word.replace(/^(?:~(?=\/)|\$HOME(?=\/)|\$\{HOME\}(?=\/))/, env.HOME ?? "~");
  const named = isAbsolute(path) ? path : resolve(folder, path);
  if (isFile(named)) return [named];
  return /^[\w.+-]+$/.test(word) ? findScript(word, env.PATH ?? "") : [];
}

const MAX_PATH_LENGTH = 4_096;

/** What may not be looked at, like a folder of PATH that may not be entered, has no program in it. */
const isFile = (path: string): boolean => statOf(path, statSync)?.isFile() === true;

/** The first program of that name, where it is a script; which version others are is asked elsewhere. */
function findScript(name: string, path: string): string[] {
  const folders = path.split(":").filter((folder) => isAbsolute(folder));
  const found = folders.map((folder) => join(folder, name)).find(isFile);
  return found !== undefined && isScript(found) ? [found] : [];
}

function isScript(file: string): boolean {
  try {
    const handle = openSync(file, "r");
    const start = Buffer.alloc(2);
    readSync(handle, start);
    closeSync(handle);
    return start.toString("latin1") === "#!";
  } catch {
    // A program that cannot be read can still be run; there is no text to compare.
    return false;
  }
}
