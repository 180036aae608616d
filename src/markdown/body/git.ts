// What a body asks of git: the branch, and what is ignored.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasSucceeded } from "../../core/process/command-spec.ts";
import { readGit } from "../../core/process/read-git.ts";
import { type FileImport, importFault } from "./body.ts";
import type { BodyContext } from "./context.ts";

interface BranchOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const BRANCH_LIMIT_MS = 5_000;

/** The branch that is checked out; null where there is none: no repository, no git, a detached head. */
export async function readGitBranch({
  cwd,
  environment,
  signal,
}: BranchOptions): Promise<string | null> {
  const options = { env: environment, cwd, signal, timeoutMs: BRANCH_LIMIT_MS };
  const ending = await readGit(["branch", "--show-current"], options);
  const name = Buffer.from(ending.stdout).toString().trim();
  return ending.exitCode === 0 && name !== "" ? name : null;
}

const IGNORE_LIMIT_MS = 30_000;
const QUESTION = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];

/**
 * Files and whole folders below this one that git ignores, relative to it; `.` where it is ignored
 * itself. Empty outside a repository. What is tracked is not ignored, whatever `.gitignore` says.
 */
export async function listIgnored(
  folder: string,
  wanted: FileImport,
  context: BodyContext,
): Promise<ReadonlySet<string>> {
  if (!existsSync(folder) || !isInRepository(folder)) return new Set();
  const { environment, signal } = context;
  const ending = await readGit(QUESTION, {
    env: environment,
    cwd: folder,
    signal,
    timeoutMs: IGNORE_LIMIT_MS,
    keepBytes: 64 * 1024 * 1024,
  });
  signal.throwIfAborted();
  if (!hasSucceeded(ending) || ending.truncated) {
    const answer = Buffer.from(ending.stderr).toString().trim() || ending.kind;
    throw importFault(
      wanted,
      `cannot be searched: git did not say what it ignores: ${answer}`,
      "mend that",
    );
  }
  const names = Buffer.from(ending.stdout).toString().split("\0").filter(Boolean);
  return new Set(names.map((name) => (name === "./" ? "." : name.replace(/\/$/, ""))));
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
