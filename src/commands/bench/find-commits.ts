import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import type { SuiteCase, WorkspaceSource } from "../../bench/suite.ts";
import { askGit, type GitPlace } from "./ask-git.ts";
import type { Complain } from "./plan-run.ts";

export interface Commits {
  readonly start: string;
  readonly others: readonly string[];
}

/** What a case's repository is right now: where the agent starts, and what its work is compared with. */
export async function findCommits(
  { workspace, evaluators }: SuiteCase,
  place: GitPlace,
  complain: Complain,
): Promise<Commits | null> {
  const branches = evaluators.flatMap(
    ({ type, options }) => EVALUATORS.find(type)?.branches?.(options) ?? [],
  );
  if (workspace.kind !== "git") {
    if (branches.length > 0) throw complain("`branch` needs a workspace that comes from `git`");
    return null;
  }
  const find = async (name: string): Promise<string> => {
    const { isDone, stdout, complaint } = await askGit(
      ["ls-remote", "--", workspace.source, ...namesOf(name)],
      place,
    );
    if (!isDone) throw complain(`\`${workspace.source}\` cannot be read: ${complaint}`);
    const found = pickReference(stdout, name);
    if (found === null) throw complain(`\`${workspace.source}\` has no \`${name}\``);
    return found;
  };
  return {
    start: await findStart(workspace, { find, place, complain }),
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
  readonly place: GitPlace;
  readonly complain: Complain;
}

type GitSource = Extract<WorkspaceSource, { kind: "git" }>;

async function findStart(
  { source, branch, commit }: GitSource,
  { find, place, complain }: Finding,
): Promise<string> {
  if (commit === null) return find(branch ?? "HEAD");
  // Elsewhere only a clone can tell whether it is there.
  if (!source.startsWith("/")) return commit;
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`];
  const { isDone, stdout } = await askGit(["-C", source, ...asked], place);
  if (!isDone) throw complain(`\`${source}\` has no commit \`${commit}\``);
  return stdout.trim();
}
