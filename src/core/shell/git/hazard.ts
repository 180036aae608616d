// What a call of git may lose, and what must be so in the repository for it to lose nothing.
import type { GitArguments, GitOptionTable } from "./arguments.ts";

export const GIT_HAZARDS = [
  "force-push",
  "force-with-lease",
  "mirror",
  "delete-remote",
  "reset-hard",
  "clean",
  "branch-delete",
  "discard",
  "stash-drop",
  "rewrite-history",
  "no-verify",
] as const;
export type GitHazardKind = (typeof GIT_HAZARDS)[number];

/** Files that git knows, those that it does not know too, or even those that it ignores. */
type CleanReach = "tracked" | "untracked" | "ignored";

/** A fact about the repository that can be looked up. */
export type GitCondition =
  /** Nothing there is uncommitted; no `paths` means everywhere. */
  | { readonly kind: "clean"; readonly paths: readonly string[]; readonly reach: CleanReach }
  /** The word names no file, so git takes it for a branch or a commit. */
  | { readonly kind: "no-path"; readonly word: string }
  /** There is no file of this name yet, or it is as it was committed. */
  | { readonly kind: "absent"; readonly path: string }
  /** There is no such folder yet, or a worktree of which everything is committed or ignored. */
  | { readonly kind: "worktree-clean"; readonly path: string }
  /** Each patch is not there to be applied, or changes only files that are as they were committed. */
  | { readonly kind: "patches-clean"; readonly patches: readonly string[] }
  /** There is no such reference yet. */
  | { readonly kind: "new-ref"; readonly name: string }
  /** All commits of the first are in the second. */
  | { readonly kind: "ancestor"; readonly of: string; readonly from: string }
  /** Every commit of these also belongs to another branch, tag or remote branch. */
  | {
      readonly kind: "kept-elsewhere";
      readonly refs: readonly string[];
      /** A branch that does not count, beside the one that is checked out. */
      readonly without?: string;
    }
  /** What is checked out stays on a branch, also when the word is checked out instead. */
  | { readonly kind: "head-kept"; readonly word: string }
  /** No file lies where the commit has one that is not in the head: what git ignores it overwrites. */
  | { readonly kind: "nothing-in-way"; readonly word: string }
  /** No remote branch has it. */
  | { readonly kind: "unpushed"; readonly ref: string }
  /** Nothing of a remote's branches is held by their copies here alone. */
  | { readonly kind: "remotes-kept" }
  /** No branch has a name that could be anything else behind `xargs`. */
  | { readonly kind: "plain-branches" }
  /** No merge, rebase or the like stands half done. */
  | { readonly kind: "no-operation" }
  | { readonly kind: "no-stash" }
  | { readonly kind: "all" | "any"; readonly of: readonly GitCondition[] };

export interface GitHazard {
  /** Null where it cannot be known which of them it is. */
  readonly kind: GitHazardKind | null;
  /** Where it cannot be known: which it may be; absent for any. */
  readonly mayBe?: readonly GitHazardKind[];
  readonly what: string;
  /** Where this is so, nothing is lost. */
  readonly unless?: GitCondition;
}

/** What a subcommand takes, and what it may lose. */
export interface GitRule {
  readonly options: GitOptionTable;
  hazards(args: GitArguments): readonly GitHazard[];
}

export const NO_HAZARDS: readonly GitHazard[] = [];

export const hazard = (
  kind: GitHazardKind | null,
  what: string,
  unless?: GitCondition,
): GitHazard => ({ kind, what, ...(unless === undefined ? {} : { unless }) });

export const isClean = (reach: CleanReach, paths: readonly string[] = []): GitCondition => ({
  kind: "clean",
  paths,
  reach,
});
export const anyOf = (...of: readonly GitCondition[]): GitCondition => ({ kind: "any", of });
export const allOf = (...of: readonly GitCondition[]): GitCondition => ({ kind: "all", of });

/** A branch that is put somewhere else; a new one, or one that only moves forward, loses nothing. */
export const movesBranch = (name: string, target: string): GitHazard =>
  hazard(
    "branch-delete",
    `commits of \`${name}\` are lost when it is put elsewhere`,
    anyOf(
      { kind: "new-ref", name: `refs/heads/${name}` },
      { kind: "ancestor", of: `refs/heads/${name}`, from: target },
    ),
  );

/** Commits that were made on no branch belong to nothing once something else is checked out. */
export const leavesHead = (word: string): GitHazard =>
  hazard(
    "branch-delete",
    "the commits made here are on no branch and are left behind; `git branch NAME` keeps them",
    { kind: "head-kept", word },
  );

/** `.env` is ignored here, and another branch has one. */
export const overwritesIgnored = (word: string): GitHazard =>
  hazard(
    "discard",
    `\`${word}\` has files that git ignores here and would overwrite; move them away first`,
    { kind: "nothing-in-way", word },
  );

/** Of `merge`, `rebase`, `am`, `cherry-pick` and `revert`. */
export const givesUp = (args: GitArguments): readonly GitHazard[] =>
  args.has("abort", "skip")
    ? [hazard("discard", "what was resolved so far is lost", { kind: "no-operation" })]
    : NO_HAZARDS;
