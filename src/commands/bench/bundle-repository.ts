// A repository of this machine as one file, for workers on others.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceSource } from "../../bench/suite.ts";
import { askGit, type GitPlace } from "./ask-git.ts";
import type { Complain } from "./plan-run.ts";

/** Null where workers can fetch it themselves. */
export async function bundleRepository(
  workspace: WorkspaceSource,
  place: GitPlace,
  complain: Complain,
): Promise<Uint8Array | null> {
  if (workspace.kind !== "git") return null;
  const folder = /^(?:file:\/\/)?(\/.*)/.exec(workspace.source)?.[1];
  if (folder === undefined) return null;
  const temporary = await mkdtemp(join(tmpdir(), "adj-bundle-"));
  try {
    const file = join(temporary, "repository.bundle");
    // All of it: a case may also be compared with another branch.
    const made = await askGit(["-C", folder, "bundle", "create", "--quiet", file, "--all"], place);
    if (!made.isDone) throw complain(`\`${folder}\` cannot travel: ${made.complaint}`);
    return await readFile(file);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
