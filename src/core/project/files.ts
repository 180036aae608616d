// Reading and writing files that others may change meanwhile, and what went wrong with one in words.
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { Fault, fault, messageOf } from "../command/fault.ts";
import { newId } from "../command/new-id.ts";

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link or a circle of them",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its path is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "it is not a folder",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
};

/** The system's code of a failed file operation, null for any other value. */
export function fileErrorCode(error: unknown): string | null {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** What went wrong with a file, in words. */
export function describeFileError(error: unknown): string {
  const known = FILE_PROBLEMS[fileErrorCode(error) ?? ""];
  return known ?? messageOf(error);
}

/** No single file that can execute is larger than this. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Reads a file that somebody else may swap for a link, a FIFO or an endless device while we look:
 * the open neither follows nor waits, and what was opened is looked at again.
 */
export const readRegularFile = (path: string): Buffer => readOpened(path, constants.O_NOFOLLOW);

/** The same for a file that may well be a link: people keep their settings elsewhere. */
export const readLinkedFile = (path: string): Buffer => readOpened(path, 0);

function readOpened(path: string, flags: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new Error("it is a folder");
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > MAX_FILE_BYTES) throw new Error(TOO_LARGE_PROBLEM);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether two files, each be it reached through a link, hold the same; false where one cannot be read. */
export function hasSameContent(one: string, other: string): boolean {
  try {
    if (statSync(one).size !== statSync(other).size) return false;
    return readLinkedFile(one).equals(readLinkedFile(other));
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return false;
  }
}

export const TOO_LARGE_PROBLEM = `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;

/** Null when there is no such file; `shown` is the path that a problem names. */
export function readText(file: string, shown: string = file): string | null {
  try {
    return decodeText(readLinkedFile(file));
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return null;
    throw fault(
      "FileInvalid",
      { problem: `it cannot be read: ${describeFileError(error)}` },
      { where: { file: shown }, cause: error },
    );
  }
}

/** A small file of our own, as it is; null when there is none. */
export function readTextIfExists(file: string): string | null {
  // To be told by an exception costs four times as much, and files of trust are looked for in every dispatch.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  // A pipe or a device in its place would keep whoever reads it waiting; what a folder is, the system says itself.
  if (!found.isFile() && !found.isDirectory()) return "";
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT" || fileErrorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}

/** Some editors on Windows save like this; read as UTF-8 it would be nothing that anybody wrote. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") throw new Error("it is UTF-16; save it as UTF-8");
  return bytes.toString("utf8");
}

/**
 * A folder and those above it that are missing. Node's own `recursive` never ends where the system says of a folder that
 * is there that it does not exist, as it does below `/proc` (seen with 24.21).
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder && statOf(above, statSync) === null) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another made it meanwhile.
    if (fileErrorCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
}

/** Whoever looks sees the old or the new content, never a part; missing folders are made. */
export function replaceFile(file: string, content: string, mode = 0o600): void {
  makeFolder(dirname(file), 0o700);
  const temporary = `${file}.${newId()}.tmp`;
  try {
    writeFileSync(temporary, content, { mode, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** For what a person asked to keep: what cannot be written is a fault. A private file's folder is private. */
export function storeFile(file: string, content: string, mode: 0o600 | 0o644): void {
  try {
    makeFolder(dirname(file), mode === 0o600 ? 0o700 : 0o777);
    replaceFile(file, content, mode);
  } catch (error) {
    throw storeFault(file, error);
  }
}

/** A file that could not be written or removed. */
export const storeFault = (file: string, cause: unknown): Fault =>
  fault("StoreUnavailable", { path: file, problem: describeFileError(cause) }, { cause });

/** For whoever leaves it to another to say what is wrong with a file: empty where it is not there or cannot be read. */
export function readTextOrEmpty(file: string): string {
  try {
    return readText(file) ?? "";
  } catch (error) {
    if (error instanceof Fault) return "";
    throw error;
  }
}

/** The names in a folder; none where there is no folder. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return [];
    throw unreadableFolder(folder, error);
  }
}

/** The same for whoever only looks around: what is no folder, is gone or may not be read holds nothing for it. */
export function listReadable(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return [];
  }
}

/** The same with what each is. */
export function listReadableEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return [];
  }
}

export const unreadableFolder = (folder: string, cause: unknown): Fault =>
  fault("FolderUnreadable", { path: folder, problem: describeFileError(cause) }, { cause });

const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "ENOENT"]);

/** For what can be worked out again: a folder that cannot be written means doing so next time. */
export function replaceCache(file: string, content: string): void {
  try {
    replaceFile(file, content);
  } catch (error) {
    if (!UNWRITABLE.has(fileErrorCode(error) ?? "")) throw error;
  }
}

/** Never over anything: a link is made only where nothing is, and the whole content is there with it. */
export function createFile(file: string, content: string): void {
  const temporary = `${file}.${newId()}.tmp`;
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, content, { flag: "wx" });
    linkSync(temporary, file);
  } catch (error) {
    throw storeFault(file, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

const UNREACHABLE_CODES = new Set(["EACCES", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"]);

/** Null where there is nothing, or nothing that may be looked at. */
export function statOf(path: string, look: typeof statSync | typeof lstatSync): Stats | null {
  try {
    return look(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (UNREACHABLE_CODES.has(fileErrorCode(error) ?? "")) return null;
    throw error;
  }
}

/** Whether a path leads to a file that may be looked at. */
export const isFile = (path: string): boolean => statOf(path, statSync)?.isFile() === true;

export const isFolder = (path: string): boolean => statOf(path, statSync)?.isDirectory() === true;

// A project's own files and folders may be links that somebody else made: into a person's home, for one, where a prompt of
// the project would become a command of the person. Whoever writes below a project's root asks here first.

/** Throws `LinkInTheWay` where the file, or a folder between the project's root and it, is a link. */
export function refuseLinks(root: string, file: string): void {
  const inside = relative(root, file);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return;
  let path = root;
  for (const part of inside.split(sep)) {
    path = join(path, part);
    if (statOf(path, lstatSync)?.isSymbolicLink() === true)
      throw fault(
        "LinkInTheWay",
        { path: file, link: path },
        { hint: "put a folder or a file of its own in its place, then try again" },
      );
  }
}

export interface NamedFile {
  readonly flag: string;
  readonly hint: string;
  /** The project's: a person who names a file in it need not know that it is a link. */
  readonly root: string;
}

/** The file is not put in place by a rename: it may be `/dev/stdout`. */
export async function writeNamedFile(
  file: string,
  text: string,
  { flag, hint, root }: NamedFile,
): Promise<void> {
  refuseLinks(root, file);
  try {
    await writeFile(file, text);
  } catch (error) {
    const why =
      fileErrorCode(error) === "ENOENT" ? "its folder does not exist" : describeFileError(error);
    const facts = { what: `\`${flag}\``, problem: `\`${file}\` cannot be written: ${why}` };
    throw fault("InputInvalid", facts, { hint, cause: error });
  }
}
