import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh folder that is gone when the test is over. */
export function temporaryFolder(prefix = "adjutant-"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/**
 * Removes a folder that a process may still be about to leave: a resident writes its last lines after its client has its
 * answer, and a folder that gets a new file while it is emptied is not empty.
 */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 25 });
}

/** Writes files by their paths from a folder, making the folders between. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Makes what was written just now look old; a folder that changed a moment ago is always read again. */
export function makeOld(...paths: readonly string[]): void {
  for (const path of paths) utimesSync(path, 1, 1);
}

/** A pipe with a name: whoever opens it to read waits for somebody to write. */
export function makeFifo(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}

/** Makes the folder the root of a project, as far as Adjutant looks; for git itself it is none. */
export const markRepository = (folder: string): void =>
  writeFiles(folder, { ".git/HEAD": "ref: refs/heads/main\n" });
