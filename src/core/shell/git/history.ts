// Subcommands that make, rewrite or throw away commits and stashes, and those with subcommands of their own.
import type { GitArguments } from "./arguments.ts";
import {
  anyOf,
  type GitHazard,
  type GitRule,
  givesUp,
  hazard,
  isClean,
  leavesHead,
  movesBranch,
  NO_HAZARDS,
  overwritesIgnored,
} from "./hazard.ts";

const rule = (
  options: string,
  hazards: (args: GitArguments) => readonly GitHazard[] | GitHazard | null = () => null,
): GitRule => ({
  options,
  hazards: (args) => [hazards(args) ?? NO_HAZARDS].flat(),
});

const PATHSPECS = "pathspec-from-file= pathspec-file-nul";
const MERGING = `cleanup= e|edit s|signoff m|mainline= rerere-autoupdate strategy= X|strategy-option= S|gpg-sign?
  quit continue abort skip commit n|no-commit`;

const COMMIT = `q|quiet v|verbose F|file= author= date= m|message= c|reedit-message= C|reuse-message= fixup= squash=
  reset-author trailer= s|signoff t|template= e|edit cleanup= status S|gpg-sign? a|all i|include interactive p|patch
  o|only n|no-verify dry-run short branch ahead-behind porcelain long z|null amend no-post-rewrite
  u|untracked-files? allow-empty allow-empty-message verify U|unified= inter-hunk-context= ${PATHSPECS}`;

function commitHazards(args: GitArguments): readonly GitHazard[] {
  const found: GitHazard[] = [];
  if (args.has("no-verify"))
    found.push(hazard("no-verify", "a commit must not pass by its checks"));
  if (args.has("amend") && !args.has("dry-run"))
    found.push(
      hazard("rewrite-history", "a commit that others have is replaced; make a new one on top", {
        kind: "unpushed",
        ref: "HEAD",
      }),
    );
  return found;
}

const STRATEGIES: ReadonlySet<string> = new Set([
  ...["ort", "recursive", "resolve", "octopus", "ours", "subtree"],
]);

/** Any other name is a program `git-merge-NAME`. */
const runsStrategy = (args: GitArguments): readonly GitHazard[] =>
  args
    .values("strategy")
    .filter((name) => !STRATEGIES.has(name))
    .map((name) => hazard(null, `\`${name}\` is no strategy of git's own`));

const mergeHazards = (args: GitArguments): readonly GitHazard[] => [
  ...givesUp(args),
  ...runsStrategy(args),
  ...args.operands.slice(0, 1).map(overwritesIgnored),
];

export const MERGE_OPTIONS = `stat summary log? squash commit e|edit cleanup= ff ff-only rerere-autoupdate verify-signatures
  s|strategy= X|strategy-option= m|message= F|file= into-name= v|verbose q|quiet abort quit continue
  allow-unrelated-histories progress S|gpg-sign? autostash overwrite-ignore signoff n verify no-verify
  compact-summary`;
const REBASE = `onto= keep-base no-verify verify q|quiet v|verbose n|no-stat stat signoff
  committer-date-is-author-date reset-author-date ignore-date ignore-whitespace whitespace= C= f|force-rebase no-ff
  continue skip abort quit edit-todo show-current-patch apply m|merge i|interactive preserve-merges
  rerere-autoupdate empty= k|keep-empty autosquash update-refs S|gpg-sign? autostash x|exec= allow-empty-message
  r|rebase-merges? fork-point s|strategy= X|strategy-option= root reschedule-failed-exec reapply-cherry-picks
  trailer=`;

/** What stands between the new base and the old one is left behind. */
function rebaseHazards(args: GitArguments): readonly GitHazard[] {
  const [upstream = "@{upstream}", branch = ""] = args.operands;
  const [onto] = args.values("onto");
  const found = [...mergeHazards(args), ...args.operands.slice(1, 2).map(leavesHead)];
  if (onto === undefined) return found;
  const unless = anyOf(
    { kind: "kept-elsewhere", refs: [upstream], without: branch },
    { kind: "ancestor", of: upstream, from: onto },
  );
  return [...found, hazard("rewrite-history", "commits are left out", unless)];
}

const AM = `i|interactive b|binary 3|3way q|quiet s|signoff u|utf8 k|keep b|keep-non-patch m|message-id keep-cr
  no-keep-cr c|scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include= C=
  p= patch-format= reject resolvemsg= continue r|resolved skip abort quit show-current-patch? allow-empty
  committer-date-is-author-date ignore-date rerere-autoupdate S|gpg-sign? empty= rebasing n|no-verify`;

const STASH = `q|quiet k|keep-index S|staged p|patch u|include-untracked a|all m|message= index only-untracked stat
  name-only name-status numstat raw shortstat oneline format= pretty= U|unified= print # ${PATHSPECS}`;

function stashHazards({ operands }: GitArguments): GitHazard | null {
  if (!/^(drop|clear|store)$/.test(operands[0] ?? "")) return null;
  return hazard(
    "stash-drop",
    "a dropped stash is lost; `git stash pop` drops it once it is applied",
    { kind: "no-stash" },
  );
}

const WORKTREE = `f|force b= B= d|detach checkout lock reason= track guess q|quiet n|dry-run v|verbose expire=
  porcelain z orphan relative-paths`;

function worktreeHazards(args: GitArguments): readonly GitHazard[] {
  const [verb, path = "", start = "HEAD"] = args.operands;
  if (verb === "remove" && args.has("force")) {
    const what = "a worktree removed by force loses its changes";
    return [hazard("discard", what, { kind: "worktree-clean", path })];
  }
  return args.values("B").map((name) => movesBranch(name, start));
}

const SUBMODULE = `q|quiet cached init recursive f|force remote N|no-fetch checkout merge rebase recommend-shallow
  reference= dissociate depth= j|jobs= single-branch progress all b|branch= name= d|default files n|summary-limit=
  require-init filter=`;

const submoduleHazards = (args: GitArguments): GitHazard | null =>
  args.has("force") && /^(update|deinit|add)$/.test(args.operands[0] ?? "")
    ? hazard("discard", "changes of a submodule are lost")
    : null;

const REFLOG = `expire= expire-unreachable= updateref rewrite stale-fix n|dry-run all single-worktree verbose
  date= format= pretty= oneline # max-count= no-abbrev`;
const GC =
  "q|quiet prune? cruft max-cruft-size= aggressive auto detach force keep-largest-pack expire-to=";
const REPACK = `a A d f F n q|quiet l b|write-bitmap-index i|delta-islands cruft cruft-expiration= k|keep-unreachable
  unpack-unreachable= window= depth= threads= max-pack-size= pack-kept-objects keep-pack= g|geometric= m|write-midx`;

const LOST = "pruning deletes what could still be recovered";
const REWRITES = hazard("rewrite-history", "rewriting history loses commits");

export const HISTORY_RULES: ReadonlyMap<string, GitRule> = new Map<string, GitRule>([
  ["commit", rule(COMMIT, commitHazards)],
  ["merge", rule(MERGE_OPTIONS, mergeHazards)],
  ["rebase", rule(REBASE, rebaseHazards)],
  ["am", rule(AM, givesUp)],
  [
    "cherry-pick",
    rule(
      `x ff allow-empty allow-empty-message keep-redundant-commits empty= ${MERGING}`,
      mergeHazards,
    ),
  ],
  ["revert", rule(`reference ${MERGING}`, mergeHazards)],
  ["stash", rule(STASH, stashHazards)],
  ["worktree", rule(WORKTREE, worktreeHazards)],
  ["submodule", rule(SUBMODULE, submoduleHazards)],
  [
    "reflog",
    rule(REFLOG, (args) =>
      /^(expire|delete|drop)$/.test(args.operands[0] ?? "") && !args.has("dry-run")
        ? hazard("rewrite-history", "without the reflog nothing can be recovered")
        : null,
    ),
  ],
  ["gc", rule(GC, (args) => (args.has("prune") ? hazard("rewrite-history", LOST) : null))],
  [
    "repack",
    rule(REPACK, (args) =>
      args.has("a", "cruft-expiration", "unpack-unreachable") && args.has("d")
        ? hazard("rewrite-history", LOST)
        : null,
    ),
  ],
  [
    "prune",
    rule("n|dry-run v|verbose progress expire= exclude-promisor-objects", (args) =>
      args.has("dry-run") ? null : hazard("rewrite-history", LOST),
    ),
  ],
  ...["init", "init-db"].map((name): [string, GitRule] => [
    name,
    rule(
      "q|quiet bare template= separate-git-dir= object-format= ref-format= b|initial-branch= shared?",
      (args) =>
        args.has("separate-git-dir")
          ? hazard(null, "the repository itself is moved to another folder")
          : null,
    ),
  ]),
  ["history", rule("n|dry-run", () => REWRITES)],
  ["replay", rule("contained onto= advance=", () => REWRITES)],
  ["filter-branch", rule("f|force", () => REWRITES)],
  ["filter-repo", rule("force", () => REWRITES)],
  [
    "bisect",
    rule("term-new= term-old= no-checkout first-parent", ({ operands }) =>
      operands[0] === "reset" || operands[0] === "start"
        ? null
        : operands[0] === "replay"
          ? hazard("discard", "it takes steps from a file", isClean("tracked"))
          : null,
    ),
  ],
  [
    "lfs",
    rule("", ({ operands }) => (/^(migrate|prune)$/.test(operands[0] ?? "") ? REWRITES : null)),
  ],
]);
