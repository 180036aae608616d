import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { newId } from "../new-id.ts";
import { errorCode } from "./file-problem.ts";

/** Whoever looks sees the old or the new content, never a part; missing folders are made. */
export function replaceFile(file: string, content: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${newId()}.tmp`;
  try {
    writeFileSync(temporary, content, { mode, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "ENOENT"]);

/** For what can be worked out again: a folder that cannot be written means doing so next time. */
export function replaceCache(file: string, content: string): void {
  try {
    replaceFile(file, content);
  } catch (error) {
    if (!UNWRITABLE.has(errorCode(error) ?? "")) throw error;
  }
}
