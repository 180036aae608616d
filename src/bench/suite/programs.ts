// The programs that a suite, its agents and its evaluators name, as files. What such a file says decides as much as the
// words of the suite do, so it belongs to the fingerprint.
import { closeSync, openSync, readSync } from "node:fs";
import { dirname, extname, isAbsolute, join, resolve } from "node:path";
import { isFile, readLinkedFile } from "../../core/project/files.ts";
import { isSystemPath } from "../../core/project/trust/candidate-paths.ts";
import { pinScript } from "../../core/project/trust/pin-script.ts";

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

const MAX_PROGRAMS = 2_000;

/** The same with all that those files import, source and start in their turn, found as trust finds it. */
export function listPrograms(value: unknown, options: NamedFilesOptions): string[] {
  const found = new Set(listNamedFiles(value, options));
  for (const file of found)
    if (found.size < MAX_PROGRAMS && !isSystemPath(file))
      for (const other of listLoaded(file, options.folder)) found.add(other);
  return [...found].toSorted();
}

/** Without a name's end it may be of any language, whoever is given it. */
const INTERPRETERS = [null, "node", "python"] as const;

function listLoaded(file: string, folder: string): string[] {
  const found: string[] = [];
  const pin = (path: string): string | null => {
    const text = readIfFile(join("/", path));
    if (text !== null) found.push(join("/", path));
    return text;
  };
  const reader = { root: "/", pin, watch: (path: string) => pin(path) !== null };
  const interpreters = extname(file) === "" ? INTERPRETERS : INTERPRETERS.slice(0, 1);
  for (const by of interpreters) {
    const { uncovered } = pinScript(file.slice(1), reader, by);
    const named = uncovered.flatMap(({ files }) => files).filter((name) => /[./]/.test(name));
    for (const from of [folder, dirname(file)])
      found.push(...named.map((name) => resolve(from, name)).filter(isFile));
  }
  return found;
}

function readIfFile(path: string): string | null {
  if (!isFile(path)) return null;
  try {
    return readLinkedFile(path).toString("utf8");
  } catch {
    // What cannot be read here is too large for a script, or is complained of where it is compared.
    return null;
  }
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
