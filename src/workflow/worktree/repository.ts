// The repository that worktrees of calls are made from, and what git is asked there. Nothing that the repository names is
// started by it: no hook, no filter, no driver.
import { type Fault, fault } from "../../core/command/fault.ts";
import { readGit } from "../../core/process/read-git.ts";

export interface GitContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface GitAnswer {
  readonly isOk: boolean;
  readonly text: string;
  /** Git's own words where it refused. */
  readonly problem: string;
}

/** Changing ones wait for each other in this process: git's own locks do not, they fail. */
const changes = new Map<string, Promise<unknown>>();

export async function askGit(context: GitContext, ...words: string[]): Promise<GitAnswer> {
  return run(context, words, false);
}

export function changeByGit(context: GitContext, ...words: string[]): Promise<GitAnswer> {
  const before = changes.get(context.cwd) ?? Promise.resolve();
  // Whoever asked for the change before was told how it went.
  const next = before.catch(() => undefined).then(() => run(context, words, true));
  changes.set(context.cwd, next);
  return next;
}

async function run(
  context: GitContext,
  words: readonly string[],
  isWriting: boolean,
): Promise<GitAnswer> {
  const ending = await readGit(words, { ...context, isWriting });
  context.signal.throwIfAborted();
  if (ending.kind !== "exited") {
    const problem = ending.kind === "not_started" ? "git could not be started" : "git was ended";
    return { isOk: false, text: "", problem };
  }
  const text = Buffer.from(ending.stdout).toString();
  const said = Buffer.from(ending.stderr).toString().trim();
  const problem =
    said
      .split("\n")
      .at(-1)
      ?.replace(/^(?:fatal|error): /, "") ?? "";
  return { isOk: ending.exitCode === 0, text: text.trimEnd(), problem };
}

/** The top of the worktree that a folder is in; a fault with a sentence where it is in none. */
export async function findTop(context: GitContext): Promise<string> {
  const { isOk, text } = await askGit(context, "rev-parse", "--show-toplevel");
  if (isOk && text !== "") return text;
  throw refuseIsolation(`\`${context.cwd}\` is not in a git repository`, "run `git init` first");
}

export const refuseIsolation = (problem: string, hint: string): Fault =>
  fault("InputInvalid", { what: "a worktree of its own", problem }, { hint });
