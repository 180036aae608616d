// Where things are: the state and configuration folders, the project around a folder, names made of paths.
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fault } from "../command/fault.ts";
import { describeFileError, fileErrorCode, statOf } from "./files.ts";
import { sha256 } from "./fingerprint.ts";

export interface Paths {
  /** Databases, trusted copies and indexes. */
  readonly stateDir: string;
  /** The user's layer. */
  readonly configDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `ADJ_STATE_DIR` and `ADJ_CONFIG_DIR` name the folders themselves, `XDG_*` the folder above. */
export function findPaths(env: Environment, home: string): Paths {
  const find = (own: string, base: string, fallback: string): string =>
    readFolder(env, own) ?? join(readFolder(env, base) ?? join(home, fallback), "adjutant");
  return {
    stateDir: find("ADJ_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
    configDir: find("ADJ_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
  };
}

/**
 * Where the hook client lies, apart from state and configuration, so that a fault of those cannot take it away. An
 * override that is no absolute path counts as none: this is where one looks when the others cannot be found.
 */
export function findDataDir({ ADJ_DATA_DIR, XDG_DATA_HOME }: Environment, home: string): string {
  if (ADJ_DATA_DIR !== undefined && isAbsolute(ADJ_DATA_DIR)) return resolve(ADJ_DATA_DIR);
  const isGiven = XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME);
  return join(isGiven ? resolve(XDG_DATA_HOME) : join(home, ".local/share"), "adjutant");
}

function readFolder(env: Environment, name: string): string | null {
  const value = env[name];
  if (value === undefined || value === "") return null;
  if (isAbsolute(value)) return resolve(value);
  throw fault(
    "InputInvalid",
    { what: `\`${name}\``, problem: `\`${value}\` is not an absolute path` },
    { hint: "give the whole path, beginning with `/`, or unset it" },
  );
}

/** The folder of the project's layer, below its root. */
export const LAYER_FOLDER = ".adjutant";

/** The nearest git repository, else the nearest folder with `.adjutant`, else `cwd`. */
export function findProjectRoot(cwd: string): string {
  const start = resolveLinks(cwd);
  const hasLayer = (folder: string) => existsSync(join(folder, LAYER_FOLDER));
  return findUpwards(start, isRepository) ?? findUpwards(start, hasLayer) ?? start;
}

/** What `git rev-parse --show-toplevel` prints in a folder; null where its settings may say otherwise, or nobody can tell. */
export function findWorkTree(cwd: string): string | null {
  try {
    const root = findUpwards(realpathSync.native(cwd), isRepository);
    if (root === null) return null;
    const given = join(root, ".git");
    const isFolder = statOf(given, lstatSync)?.isDirectory() === true;
    const [, linked] = isFolder ? [] : (LINKED_WORKTREE.exec(readFileSync(given, "utf8")) ?? []);
    if (!isFolder && linked === undefined) return null;
    const settings = readFileSync(join(linked ?? given, "config"), "utf8");
    return /worktree|include/i.test(settings) ? null : root;
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return null;
  }
}

const LINKED_WORKTREE = /^gitdir: (\/.*\/\.git)\/worktrees\/[^/\n]+\n?$/;

/** A worktree has a file of that name. Codex leaves empty folders `.git` behind, in /tmp too: they make no project. */
function isRepository(folder: string): boolean {
  const found = statOf(join(folder, ".git"), lstatSync);
  return found?.isFile() === true || existsSync(join(folder, ".git", "HEAD"));
}

function resolveLinks(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch (error) {
    const facts = { path: cwd, problem: describeFileError(error) };
    throw fault("FolderUnreadable", facts, { hint: "go to a folder that exists", cause: error });
  }
}

function findUpwards(start: string, isIt: (folder: string) => boolean): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isIt(folder)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** A file's name may have 255 bytes; there is an extension behind it, too. */
const MAX_NAME_LENGTH = 200;

/** A path as the name of one file or folder, different for different paths and mostly readable. */
export function pathToFileName(path: string): string {
  const name = encodeURIComponent(path).replaceAll("%2F", "+");
  return name.length <= MAX_NAME_LENGTH ? name : `long-${sha256(path)}`;
}

/** Whether a path is the folder itself or lies below it; both absolute, with links resolved. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
