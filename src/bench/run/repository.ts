// A case's repository when a run is planned: the commits it is at, and all of it as one file for workers elsewhere.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVALUATORS } from "../evaluators/roster.ts";
import { type GitOptions, type GitSource, runGit } from "../files/git.ts";
import type { SuiteCase, WorkspaceSource } from "../suite/suite.ts";

/** Makes what is wrong with a case a fault that names it. */
export type CaseFault = (problem: string) => Error;

export interface Commits {
  readonly start: string;
  readonly others: readonly string[];
}

/** What a case's repository is right now: where the agent starts, and what its work is compared with. */
export async function findCommits(
  { workspace, evaluators }: SuiteCase,
  git: GitOptions,
  complain: CaseFault,
): Promise<Commits | null> {
  const branches = evaluators.flatMap(
    ({ type, options }) => EVALUATORS.find(type)?.branches?.(options) ?? [],
  );
  if (workspace.kind !== "git") {
    if (branches.length > 0) throw complain("`branch` needs a workspace that comes from `git`");
    return null;
  }
  const find = async (name: string): Promise<string> => {
    const { isDone, stdout, complaint } = await runGit(
      ["ls-remote", "--", workspace.source, ...namesOf(name)],
      git,
    );
    if (!isDone) throw complain(`\`${workspace.source}\` cannot be read: ${complaint}`);
    const found = pickReference(stdout, name);
    if (found === null) throw complain(`\`${workspace.source}\` has no \`${name}\``);
    return found;
  };
  return {
    start: await findStart(workspace, { find, git, complain }),
    others: await Promise.all(branches.map(find)),
  };
}

/** What a name may stand for, the likeliest first; a tag that is an object of its own points to its commit. */
const namesOf = (name: string): readonly string[] =>
  name === "HEAD" ? [name] : [`refs/heads/${name}`, `refs/tags/${name}^{}`, `refs/tags/${name}`];

/** Asked for `fix`, git also lists `feature/fix`. */
function pickReference(listed: string, name: string): string | null {
  const lines = listed.split("\n").map((line) => line.split("\t"));
  for (const wanted of namesOf(name)) {
    const found = lines.find(([, reference]) => reference === wanted)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

interface Finding {
  readonly find: (name: string) => Promise<string>;
  readonly git: GitOptions;
  readonly complain: CaseFault;
}

async function findStart(
  { source, branch, commit }: GitSource,
  { find, git, complain }: Finding,
): Promise<string> {
  if (commit === null) return find(branch ?? "HEAD");
  // Elsewhere only a clone can tell whether it is there.
  if (!source.startsWith("/")) return commit;
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`];
  const { isDone, stdout } = await runGit(asked, git, source);
  if (!isDone) throw complain(`\`${source}\` has no commit \`${commit}\``);
  return stdout.trim();
}

// A repository of this machine as one file, for workers on others.

/** Null where workers can fetch it themselves. */
export async function bundleRepository(
  workspace: WorkspaceSource,
  git: GitOptions,
  complain: CaseFault,
): Promise<Uint8Array | null> {
  if (workspace.kind !== "git") return null;
  const folder = /^(?:file:\/\/)?(\/.*)/.exec(workspace.source)?.[1];
  if (folder === undefined) return null;
  const temporary = await mkdtemp(join(tmpdir(), "adj-bundle-"));
  try {
    const file = join(temporary, "repository.bundle");
    // All of it: a case may also be compared with another branch.
    const made = await runGit(["bundle", "create", "--quiet", file, "--all"], git, folder);
    if (!made.isDone) throw complain(`\`${folder}\` cannot travel: ${made.complaint}`);
    return await readFile(file);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
