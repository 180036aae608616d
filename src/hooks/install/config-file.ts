// The agent's file on disk: read as exact text, written through links, in one step, with its permissions.
import {
  chmodSync,
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
import { fault } from "../../command/fault.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { readLinkedFile } from "../../config/regular-file.ts";
import { replaceFile } from "../../config/replace-file.ts";

/** Null where there is no such file. Bytes that are no UTF-8 could not be given back as they were. */
export function readExactText(file: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readLinkedFile(file));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    const problem =
      error instanceof TypeError ? "it is not UTF-8" : `it cannot be read: ${problemOf(error)}`;
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
    if (!STILL_USED.has(errorCode(error) ?? "")) throw unwritable(file, error);
  }
}

const STILL_USED = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

const unwritable = (file: string, error: unknown) =>
  fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });

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
    if (errorCode(error) !== "ENOENT") throw error;
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? resolveLinks(resolve(dirname(file), readlinkSync(file))) : file;
  }
}
