// The agents' own command files as they lie there.
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fault } from "../../command/fault.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { readText } from "../../config/read-text.ts";
import type { NativeSource } from "../../markdown/native/native-format.ts";
import { SKILL_FILE } from "../../markdown/native/skill.ts";

export interface NativeFileFound {
  /** Below the folder. */
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/** In alphabetical order; nothing where there is no folder. */
export function listNativeFiles(source: NativeSource): NativeFileFound[] {
  const { folder } = source;
  return listFiles(folder)
    .map((file) => relative(folder, file))
    .filter((path) => isCommand(path, source))
    .sort()
    .flatMap((path) => {
      const file = join(folder, path);
      const text = readText(file);
      return text === null ? [] : [{ path, file, text }];
    });
}

function isCommand(path: string, { layout, ending }: NativeSource): boolean {
  // A hidden folder is not the user's: codex keeps its own skills in one.
  if (path.startsWith(".")) return false;
  return layout === "files" ? path.endsWith(ending) : /^[^/]+\/SKILL\.md$/.test(path);
}

/** What else belongs to a skill. */
export const listCompanions = (source: NativeSource, path: string): string[] => {
  const folder = join(source.folder, path.slice(0, -SKILL_FILE.length));
  return source.layout === "files"
    ? []
    : listFiles(folder)
        .map((file) => relative(folder, file))
        .filter((other) => other !== SKILL_FILE)
        .sort();
};

function listFiles(folder: string): string[] {
  return readFolder(folder)
    .filter(isFile)
    .map((entry) => join(entry.parentPath, entry.name));
}

const isFile = (entry: Dirent): boolean =>
  entry.isFile() ||
  (entry.isSymbolicLink() &&
    statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.isFile() === true);

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fault("FolderUnreadable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}
