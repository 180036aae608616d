// The agents' own command files as they lie there, and for whom and where: what `sync` and `import` have in
// common.
import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { NativeFormat, NativeSource } from "../../agents/native/format.ts";
import { SKILL_FILE } from "../../agents/native/markdown-text.ts";
import { agentNameOf, loadFormats, requireFormat } from "../../agents/roster.ts";
import type { InstallContext, InstallScope } from "../../agents/steps/installer.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { fileErrorCode, readText, unreadableFolder } from "../../core/project/files.ts";

export interface NativeFileFound {
  /** Below the folder. */
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/** In alphabetical order; nothing where there is no folder. */
export function listNativeFiles(source: NativeSource): NativeFileFound[] {
  const { folder } = source;
  return listFilesBelow(folder)
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
    : listFilesBelow(folder)
        .map((file) => relative(folder, file))
        .filter((other) => other !== SKILL_FILE)
        .sort();
};

function listFilesBelow(folder: string): string[] {
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
    if (fileErrorCode(error) === "ENOENT") return [];
    throw unreadableFolder(folder, error);
  }
}

/** A command belongs to a project more often than to a person. */
export function pickLayer(
  command: string,
  { user, project }: { readonly user: boolean; readonly project: boolean },
): InstallScope {
  if (user && project) throw misuse(command, "`--user` and `--project` exclude each other");
  return user ? "user" : "project";
}

/** Each once, in the order in which they were named. */
export const pickFormats = (names: readonly string[]): Promise<NativeFormat[]> =>
  Promise.all([...new Set(names.map(agentNameOf))].map(requireFormat));

/** The agents that have a folder there. */
export async function findFormats(
  scope: InstallScope,
  install: InstallContext,
): Promise<NativeFormat[]> {
  const formats = await loadFormats();
  const found = formats.filter(({ signsOf }) => signsOf(scope, install).some(existsSync));
  if (found.length > 0) return found;
  const where = scope === "project" ? install.root : install.home;
  throw fault(
    "ArgumentsInvalid",
    { command: "sync", problem: `no agent has a folder in ${where}` },
    { hint: `name one: ${formats.map(({ agent }) => `\`${agent}\``).join(", ")}` },
  );
}
