// Adjutant's entries in agents' files: which files hold one, and whether a change of the whole tree by git takes one out of
// a file that the project keeps in git. Other files of ours may change so: what was approved stays in force.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { readGitCall } from "../../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { type GitQueryOptions, queryGit } from "../query-git.ts";

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 50;
const ENTRY = /adj['"\\]*\s+hook\s|adj-hook|127\.0\.0\.1:\d+\/hook\/|adjutant/;

/** Of a folder of plugins or hooks, whether one of its files does. */
export const holdsEntry = (path: string): boolean => filesWithEntry(path).length > 0;

function filesWithEntry(path: string): string[] {
  try {
    const files = statSync(path).isDirectory()
      ? readdirSync(path).map((name) => join(path, name))
      : [path];
    return files
      .slice(0, MAX_FILES)
      .filter((file) => ENTRY.test(readFileSync(file, "utf8").slice(0, MAX_SETTINGS_BYTES)));
  } catch {
    return [];
  }
}

export interface LostEntry {
  readonly call: string;
  readonly file: string;
}

interface TreeContext extends PathContext {
  readonly root: string;
  readonly git: Omit<GitQueryOptions, "cwd">;
}

/** What git puts in place of the tree: another commit's, one that is joined with it, or it without a commit. */
const MOVES = /^(?:switch|checkout|bisect)$/;
const JOINS = /^(?:merge|pull|rebase|cherry-pick)$/;
const UNDOES = /^revert$/;

/** The first call after which an entry would be gone that is there now. */
export async function findLostEntry(
  line: LineAnalysis,
  entries: readonly string[],
  context: TreeContext,
): Promise<LostEntry | null> {
  const calls = line.commands.filter((command) => {
    const verb = readGitCall(command)?.subcommand ?? "";
    return [MOVES, JOINS, UNDOES].some((verbs) => verbs.test(verb));
  });
  if (calls.length === 0) return null;
  const files = entries
    .filter((path) => path.startsWith(`${context.root}/`))
    .flatMap(filesWithEntry);
  for (const command of calls.slice(0, MAX_CALLS))
    for (const file of files)
      if (await losesEntry(command, file, context)) return { call: command.text, file };
  return null;
}

const MAX_CALLS = 5;
const MAX_REVISIONS = 10;

async function losesEntry(
  command: SimpleCommand,
  file: string,
  context: TreeContext,
): Promise<boolean> {
  const call = readGitCall(command);
  if (call === null) return false;
  const start = absolutePath(command.folders[0] ?? ".", context);
  const cwd = call.folders.reduce(
    (folder, each) => absolutePath(each, { ...context, folder }),
    start,
  );
  const ask = (...args: readonly string[]) => queryGit(args, { ...context.git, cwd });
  const holds = async (commit: string): Promise<boolean> =>
    ENTRY.test((await ask("cat-file", "blob", `${commit}:./${relative(cwd, file)}`)) ?? "");
  const verb = call.subcommand ?? "";
  for (const name of revisionsOf(call.args.map(({ text }) => text))) {
    const commit = (await ask("rev-parse", "--verify", "--quiet", `${name}^{commit}`))?.trim();
    if (commit === undefined) continue;
    if (UNDOES.test(verb)) {
      if ((await holds(commit)) && !(await holds(`${commit}^`))) return true;
      continue;
    }
    if (await holds(commit)) continue;
    const base =
      verb === "cherry-pick" ? `${commit}^` : (await ask("merge-base", "HEAD", commit))?.trim();
    // A file that git does not keep stays where it is.
    if (await holds(MOVES.test(verb) ? "HEAD" : (base ?? "HEAD"))) return true;
  }
  return false;
}

/** Before `--`; what is no revision is found to be none. */
function revisionsOf(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  return words
    .slice(0, end === -1 ? words.length : end)
    .map((word) => (word === "-" ? "@{-1}" : word))
    .filter((word) => !word.startsWith("-"))
    .slice(0, MAX_REVISIONS);
}
