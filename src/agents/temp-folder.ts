import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for one run: agents leave megabytes behind in theirs, run after run. */
export async function withTempFolder<Result>(
  parent: string | undefined,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  // Short, because agents put sockets there and a socket's path has about a hundred characters.
  const folder = await mkdtemp(join(parent || tmpdir(), "adj-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
