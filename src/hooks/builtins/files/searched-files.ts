// What an agent's own search opens that leaves out what git ignores. Some search with ripgrep, some with `git grep`, some
// with the one that is there: a file is left out only where both leave it out, and where both are sure to work.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../../core/project/files.ts";
import type { IgnoreManner } from "../../../core/step/envelope.ts";
import { type GitQueryOptions, queryGit } from "../query-git.ts";
import { ALL_FILES } from "./file-touch.ts";
import type { LookLimit } from "./look-limit.ts";
import { protectedFiles } from "./protected-files.ts";

interface SearchPlace {
  readonly git: Omit<GitQueryOptions, "cwd">;
  readonly limit: LookLimit;
  /** Folders that settings of the agent may lie in. */
  readonly places: readonly string[];
  readonly manner: IgnoreManner | undefined;
}

interface SearchedFiles {
  readonly files: readonly string[];
  /** Repositories of their own, for which the settings of the outer one do not count. */
  readonly repositories: readonly string[];
}

/** Null where nothing is sure to be left out. */
export async function listSearched(
  folder: string,
  { git, limit, places, manner }: SearchPlace,
): Promise<SearchedFiles | null> {
  const query = { ...git, cwd: folder };
  const ask = (...args: string[]) => queryGit(args, query);
  if (manner === undefined || git.env.RIPGREP_CONFIG_PATH !== undefined) return null;
  if (hasOwnRules(folder, limit) || skipsNothing(places, manner)) return null;
  const top = (await ask("rev-parse", "--show-toplevel"))?.trim();
  // Where a variable says which repository it is, ripgrep sees none.
  if (top === undefined || !existsSync(join(top, ".git"))) return null;
  // What is named is searched, ignored or not.
  if ((await ask("check-ignore", "-q", ".")) !== null) return null;
  if (manner.byGit === true && !(await isGitSearching(ask))) return null;
  const exact = ["-c", "core.ignoreCase=false", "ls-files", "-z", "--full-name"];
  // Ripgrep does not read every file that git's own settings may name.
  const listed = await ask(...exact, "-s", "-o", "--exclude-per-directory=.gitignore", "--", ".");
  if (listed === null) return null;
  const entries = listed.split("\0").filter((entry) => entry !== "");
  const paths = entries.map((entry) => join(top, entry.replace(STAGED, "")));
  const isInner = (at: number): boolean => /^160000 |\/$/.test(entries[at] ?? "");
  return {
    files: paths.filter((_, at) => !isInner(at)),
    repositories: paths.filter((_, at) => isInner(at)),
  };
}

/** The mode, the object and the stage of what git tracks. */
const STAGED = /^\d{6} [0-9a-f]{40,64} \d\t/;

/** Files with rules of ripgrep's own, which come before those of git: `!.env`. */
const OWN_RULES = [".ignore", ".rgignore"];

function hasOwnRules(folder: string, limit: LookLimit): boolean {
  const paths = OWN_RULES.map((name) => `**/${name}`);
  const files = protectedFiles({ paths, except: [] }, { folder, home: folder });
  if (files.findBelow(folder, ALL_FILES, limit) !== null) return true;
  for (let each = folder; ; each = dirname(each)) {
    if (OWN_RULES.some((name) => existsSync(join(each, name)))) return true;
    if (each === dirname(each)) return false;
  }
}

/** Whatever settings say of `respectGitIgnore`, or in a way that cannot be read. */
function skipsNothing(places: readonly string[], { settings }: IgnoreManner): boolean {
  if (settings === undefined) return false;
  return places.some((place) => {
    const file = join(place, settings);
    return existsSync(file) && /gitignore|\\u/i.test(readText(file) ?? "gitignore");
  });
}

type AskGit = (...args: string[]) => Promise<string | null>;

/** Some settings make `git grep` fail, and then the search goes on without git. */
async function isGitSearching(ask: AskGit): Promise<boolean> {
  // Our own questions are asked with `false`, which stands beside what the person has set.
  const recurse = await ask("config", "--type=bool", "--get-all", "submodule.recurse");
  if (recurse === null || /true/.test(recurse)) return false;
  const files = ":(top,glob)**/.gitignore";
  return (await ask("grep", "--untracked", "-q", "-E", "-e", "", "--", files)) !== null;
}
