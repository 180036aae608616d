// The agent's file on disk: read as exact text, written through links, in one step, with its permissions.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { fault } from "../../core/command/fault.ts";
import {
  describeFileError,
  fileErrorCode,
  readLinkedFile,
  replaceFile,
} from "../../core/project/files.ts";

/** Null where there is no such file. Bytes that are no UTF-8 could not be given back as they were. */
export function readExactText(file: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readLinkedFile(file));
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return null;
    const problem =
      error instanceof TypeError
        ? "it is not UTF-8"
        : `it cannot be read: ${describeFileError(error)}`;
    throw fault("FileInvalid", { problem }, { where: { file }, cause: error });
  }
}

/** Returns the folders that had to be made, the outermost first. */
export function writeExactText(file: string, text: string, newMode: number): string[] {
  try {
    const target = resolveLinks(file);
    const made = makeFolders(dirname(target));
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? null;
    replaceFile(target, text, mode ?? newMode);
    // What a new file is made with is subject to the umask; what was there keeps what it had.
    if (mode !== null) chmodSync(target, mode & 0o7777);
    return made;
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Takes the folders away again that were made for it, if nobody put anything in them. */
export function removeFile(file: string, folders: readonly string[]): void {
  try {
    rmSync(resolveLinks(file), { force: true });
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch (error) {
    if (!STILL_USED.has(fileErrorCode(error) ?? "")) throw unwritable(file, error);
  }
}

const STILL_USED = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

const unwritable = (file: string, error: unknown) =>
  fault("StoreUnavailable", { path: file, problem: describeFileError(error) }, { cause: error });

/** Before anything is written: an administrator's folder is mostly closed to everybody else. */
export function checkWritable(file: string): void {
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw new TypeError(`\`${folder}\` is not a folder`);
  } catch (error) {
    const problem = error instanceof TypeError ? error.message : describeFileError(error);
    const hint =
      "run it as root, or have somebody who is write what `--dry-run` shows; without `--managed` it is for yourself";
    throw fault("StoreUnavailable", { path: file, problem }, { cause: error, hint });
  }
}

/** What everybody's agent must read, whatever the umask of who wrote it. */
export function openToAll(file: string, folders: readonly string[]): void {
  chmodSync(file, 0o644);
  for (const folder of folders) chmodSync(folder, 0o755);
}

function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  mkdirSync(folder, { recursive: true });
  return missing;
}

/** Where a link leads, even if nothing is there yet: people keep their settings elsewhere. */
function resolveLinks(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (fileErrorCode(error) !== "ENOENT") throw error;
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? resolveLinks(resolve(dirname(file), readlinkSync(file))) : file;
  }
}
