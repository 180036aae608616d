// Saved sessions: one file each in the state folder.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../command/fault.ts";
import { errorCode, problemOf } from "../config/file-problem.ts";
import { replaceFile } from "../config/replace-file.ts";
import { formatManifest, isSessionName, type Manifest, readManifest } from "../session/manifest.ts";

const folderOf = (stateDir: string): string => join(stateDir, "sessions");

export function sessionFile(stateDir: string, name: string): string {
  if (isSessionName(name)) return join(folderOf(stateDir), `${name}.json`);
  throw fault(
    "InputInvalid",
    { what: "a session's name", problem: "it is letters, digits, dots and dashes, at most 64" },
    { hint: "begin with a letter or a digit" },
  );
}

export function writeSession(file: string, manifest: Manifest): void {
  try {
    replaceFile(file, formatManifest(manifest), 0o600);
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  }
}

/** Null where there is none of that name. */
export function readSession(file: string): Manifest | null {
  if (!existsSync(file)) return null;
  const reading = readManifest(readFileSync(file, "utf8"));
  if (reading.kind === "read") return reading.manifest;
  throw fault("FileInvalid", { problem: reading.problem }, { where: { file } });
}

export interface SavedSession {
  readonly name: string;
  readonly savedAt: string;
}

/** By name and time alone, the last saved first; nothing is opened. */
export function listSaved(stateDir: string): SavedSession[] {
  return namesIn(folderOf(stateDir))
    .filter((file) => file.endsWith(".json") && isSessionName(file.slice(0, -".json".length)))
    .map((file) => ({
      name: file.slice(0, -".json".length),
      savedAt: statSync(join(folderOf(stateDir), file)).mtime.toISOString(),
    }))
    .sort((a, b) => (a.savedAt > b.savedAt ? -1 : 1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fault("FolderUnreadable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}
