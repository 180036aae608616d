// Writes and removes what was decided; each file is whole at any moment.
import { mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fault } from "../../command/fault.ts";
import { problemOf } from "../../config/file-problem.ts";
import { replaceFile } from "../../config/replace-file.ts";
import type { FileChange } from "./decide-changes.ts";

export interface NativeFolder {
  readonly folder: string;
  /** It and what is above it are never removed. */
  readonly base: string;
}

export function applyChanges(changes: readonly FileChange[], place: NativeFolder): void {
  for (const change of changes) applyChange(change, place);
}

function applyChange({ kind, path, text }: FileChange, { folder, base }: NativeFolder): void {
  const file = join(folder, path);
  try {
    if (kind === "remove") {
      rmSync(file);
      removeEmpty(dirname(file), base);
    } else if (text !== null && (kind === "create" || kind === "update")) {
      mkdirSync(dirname(file), { recursive: true });
      replaceFile(file, text, 0o644);
    }
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  }
}

/** Folders that the last file of ours leaves empty. */
function removeEmpty(folder: string, base: string): void {
  if (folder === base || !folder.startsWith(`${base}/`) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), base);
}
