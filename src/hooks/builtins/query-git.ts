// Asks git itself: about aliases, branches, what a commit would hold.
import { type GitReadOptions, readGit } from "../../core/process/read-git.ts";

export type GitQueryOptions = Pick<GitReadOptions, "cwd" | "env" | "signal">;

/** Git took too long or said too much. */
export class GitUnanswered extends Error {}

const LIMIT_MS = 4_000;
const MAX_BYTES = 4_194_304;

/** What git prints, whole; null where it has no answer or the folder no repository. */
export async function queryGit(
  args: readonly string[],
  options: GitQueryOptions,
  maxBytes = MAX_BYTES,
): Promise<string | null> {
  const ending = await readGit(args, {
    ...options,
    timeoutMs: LIMIT_MS,
    outputLimit: { stdout: { bytes: maxBytes, action: "kill" } },
  });
  if (ending.kind === "exited")
    return ending.exitCode === 0 ? new TextDecoder().decode(ending.stdout) : null;
  if (ending.kind === "not_started") return null;
  throw new GitUnanswered(
    `\`git ${args[0] ?? ""}\` was not answered: ${ending.kind.replaceAll("_", " ")}`,
  );
}
