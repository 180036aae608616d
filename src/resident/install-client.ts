// The client's place in the state folder: a path and a text that stay, beside the one line that may change.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { replaceFile } from "../config/replace-file.ts";
import { CLIENT_SCRIPT, PROGRAM_FILE } from "./client-script.ts";

export const clientFile = (stateDir: string): string => join(stateDir, "client", "adj-hook");

/**
 * Writes the client where it is missing or another, and notes where `adj` lies; returns the client's path.
 *
 * @example
 * installClient(stateDir, "/usr/local/bin/adj"); // "…/adjutant/client/adj-hook"
 */
export function installClient(stateDir: string, program: string): string {
  const file = clientFile(stateDir);
  writeIfOther(file, CLIENT_SCRIPT, 0o700);
  writeIfOther(join(stateDir, "client", PROGRAM_FILE), `${program}\n`, 0o600);
  return file;
}

function writeIfOther(file: string, text: string, mode: number): void {
  if (readIfThere(file) !== text) replaceFile(file, text, mode);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
