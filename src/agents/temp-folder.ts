import { mkdtempSync, rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for one run: agents leave megabytes behind in theirs, run after run. */
export async function withTempFolder<Result>(
  parent: string | undefined,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  // Short, because agents put sockets there and a socket's path has about a hundred characters.
  const folder = mkdtempSync(join(parent || tmpdir(), "adj-"));
  try {
    return await use(folder);
  } finally {
    await removeFolder(folder);
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    // Mostly nothing is in it.
    rmdirSync(folder);
  } catch {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
