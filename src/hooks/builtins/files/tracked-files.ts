// Whether git has a protected file in a folder, and one that a line of git would show, take or overwrite.
import type { StepSubject } from "../../../core/step/envelope.ts";
import { resolveBoth } from "../../match/paths.ts";
import { type GitQueryOptions, queryGit } from "../query-git.ts";
import type { FileTouch } from "./file-touch.ts";
import type { ProtectedFiles } from "./protected-files.ts";

interface TrackedSearch {
  readonly files: ProtectedFiles;
  readonly git: Omit<GitQueryOptions, "cwd">;
  readonly subject: StepSubject;
}

/** Most protected files are ignored, and then no `git diff` or `git add` can show them. */
export async function isOfGit(
  { context, path, ofGit }: FileTouch,
  { files, git, subject }: TrackedSearch,
): Promise<boolean> {
  const query = { ...git, cwd: context.folder };
  const ask = (...args: readonly string[]) => queryGit([...args, "--", path], query);
  const lists =
    ofGit === "changed" && !MOVES_ON.test(subject.line ?? "")
      ? await Promise.all([ask(...LIST, "--modified"), ask(...STAGED)])
      : [await ask(...LIST, ...kindsOf(ofGit))];
  // Where there is no repository yet, the line may make one.
  if (lists[0] === null && ofGit === "new") return true;
  const top = await queryGit(["rev-parse", "--show-toplevel"], query);
  const folder = top?.trim() ?? subject.root;
  const names = lists.flatMap((listed) => (listed ?? "").split("\0")).filter((name) => name !== "");
  return names.some((name) => files.covers(resolveBoth(name, { ...context, folder })));
}

const LIST = ["ls-files", "-z", "--full-name"];
const STAGED = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-relative"];

/** After such a word of the line other files differ from what git has than do now. */
const MOVES_ON =
  /\b(?:reset|rm|mv|read-tree|update-index|update-ref|symbolic-ref|stash|merge|pull|cherry-pick|revert|apply|am|checkout|switch|restore|rebase|config|alias|init|clone|git-dir|work-tree|GIT_\w+)\b/;

function kindsOf(ofGit: FileTouch["ofGit"]): readonly string[] {
  const others =
    ofGit === "tracked" || ofGit === "changed" ? [] : ["--others", "--exclude-standard"];
  return [...(ofGit === "new" ? [] : ["--cached"]), ...others];
}
