import { runProcess } from "../../process/run-process.ts";
import type { WorkspaceSource } from "../suite.ts";

export interface GitPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const TIME_LIMIT_MS = 600_000;

/** A clone of its own: a worktree would share the user's branches and settings. */
export async function cloneGit(
  { source, branch, commit }: Extract<WorkspaceSource, { kind: "git" }>,
  folder: string,
  { env, signal }: GitPlace,
): Promise<void> {
  const git = async (...args: string[]): Promise<string> => {
    const ending = await runProcess(
      { executable: "git", args, env: { ...env, GIT_TERMINAL_PROMPT: "0" }, cwd: "/" },
      { signal, timeoutMs: TIME_LIMIT_MS },
    );
    if (ending.kind === "exited" && ending.exitCode === 0)
      return Buffer.from(ending.stdout).toString().trim();
    const said = Buffer.from(ending.stderr).toString().trim().split("\n").at(-1) ?? ending.kind;
    throw new Error(`\`git ${args[0] === "-C" ? args[2] : args[0]}\` failed: ${said}`);
  };
  const chosen = branch === null ? [] : ["--branch", branch];
  await git("clone", "--quiet", "--local", "--no-hardlinks", ...chosen, "--", source, folder);
  // Where the branch is there already, it stays checked out.
  if (commit === null || (await git("-C", folder, "rev-parse", "HEAD")) === commit) return;
  await git("-C", folder, "checkout", "--quiet", "--detach", commit);
}
