// Git as far as suites need it: a clone for a trial, and questions about a repository.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { hasSucceeded, lastLineOf } from "../../core/process/command-spec.ts";
import { readGit } from "../../core/process/read-git.ts";

export interface GitOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Where a workspace is cloned from. */
export interface GitSource {
  /** A path or an address. */
  readonly source: string;
  readonly branch: string | null;
  readonly commit: string | null;
  /** Without it the clone is a single commit that has the files and nobody's past. */
  readonly history: boolean;
}

const CLONE_TIMEOUT_MS = 600_000;

type Git = (cwd: string, ...args: string[]) => Promise<string>;

/**
 * A repository of its own with one branch: the commit and what led to it. It has no other branch or tag, no remote
 * and no reflog, and none of the objects that only those lead to: the solution may well be one of them.
 */
export async function cloneGit(
  { source, branch, commit, history }: GitSource,
  folder: string,
  { env, signal }: GitOptions,
): Promise<void> {
  const git: Git = async (cwd, ...args) => {
    const reading = { env, signal, cwd, transport: true, timeoutMs: CLONE_TIMEOUT_MS };
    const ending = await readGit([...UNLOGGED, ...args], reading);
    if (hasSucceeded(ending)) return Buffer.from(ending.stdout).toString().trim();
    throw new Error(`\`git ${args[0]}\` failed: ${lastLineOf(ending.stderr) ?? ending.kind}`);
  };
  const name = branch ?? (await findUsualBranch(git, source));
  await git("/", "init", "--quiet", "--template=", `--initial-branch=${name}`, "--", folder);
  const wanted = { source, name: `refs/heads/${name}`, commit: commit ?? branch ?? "HEAD" };
  await fetchCommit(git, folder, { ...wanted, depth: history ? [] : ["--depth=1"] });
  if (!history) await forgetHistory(git, folder, wanted.name);
  // Filters of the person, such as the one for large files, ask the remote that the files come from.
  await git(folder, "-c", `remote.origin.url=${source}`, "checkout", "--quiet", "--force", name);
}

const UNLOGGED = ["-c", "core.logAllRefUpdates=false"];

/** Elsewhere than in a repository, in a bundle say, there is none. An address that does not answer is the fetch's to tell. */
async function findUsualBranch(git: Git, source: string): Promise<string> {
  const listed = await git("/", "ls-remote", "--symref", "--", source, "HEAD").catch(() => "");
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1] ?? "main";
}

interface WantedCommit {
  readonly source: string;
  readonly name: string;
  readonly commit: string;
  readonly depth: readonly string[];
}

async function fetchCommit(
  git: Git,
  folder: string,
  { source, name, commit, depth }: WantedCommit,
): Promise<void> {
  const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--update-head-ok", ...depth];
  const fetch = (from: string, what: string) =>
    git(folder, "fetch", ...quietly, "--", from, `${what}:${name}`);
  try {
    await fetch(source, commit);
  } catch {
    // Some servers, and every bundle, give only what a branch names; a short name is none at all.
    const whole = `${folder}.source`;
    await git("/", "clone", "--quiet", "--mirror", "--", source, whole);
    await fetch(whole, await git(whole, "rev-parse", "--verify", `${commit}^{commit}`));
    await rm(whole, { recursive: true, force: true });
  }
}

const AUTHOR = ["-c", "user.name=Adjutant", "-c", "user.email=adjutant@localhost"];

/** One commit without parents in place of the one that was fetched, which then is nowhere any more. */
async function forgetHistory(git: Git, folder: string, name: string): Promise<void> {
  const made = await git(folder, ...AUTHOR, "commit-tree", "-m", "base", `${name}^{tree}`);
  await git(folder, "update-ref", name, made);
  await rm(join(folder, ".git", "shallow"), { force: true });
  await git(folder, "repack", "-a", "-d", "--quiet");
  await git(folder, "prune", "--expire=now");
}

const GIT_TIMEOUT_MS = 300_000;

export interface GitAnswer {
  readonly isDone: boolean;
  readonly stdout: string;
  /** One line of what it complained of. */
  readonly complaint: string;
}

/** Of a folder nothing else is reached; without one git may ask an address. */
export async function runGit(
  args: readonly string[],
  { env, signal }: GitOptions,
  folder: string | null = null,
): Promise<GitAnswer> {
  const cwd = folder ?? "/";
  const reading = { env, signal, cwd, transport: folder === null, timeoutMs: GIT_TIMEOUT_MS };
  const ending = await readGit(args, reading);
  signal.throwIfAborted();
  const lines = Buffer.from(ending.stderr).toString().trim().split("\n");
  const complaint = (
    lines.find((line) => line.startsWith("fatal: ")) ??
    lines.at(-1) ??
    ""
  ).replace("fatal: ", "");
  return {
    isDone: hasSucceeded(ending),
    stdout: Buffer.from(ending.stdout).toString(),
    complaint: complaint === "" ? `git ${ending.kind.replaceAll("_", " ")}` : complaint,
  };
}
