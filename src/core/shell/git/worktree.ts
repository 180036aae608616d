// Subcommands that overwrite files or the index.
import type { GitArguments } from "./arguments.ts";
import {
  allOf,
  anyOf,
  type GitHazard,
  type GitRule,
  hazard,
  isClean,
  leavesHead,
  movesBranch,
  NO_HAZARDS,
  overwritesIgnored,
} from "./hazard.ts";

const PATHSPECS = "pathspec-from-file= pathspec-file-nul";
const KEEP = "commit or `git stash` them first";
const LOSES = `it loses changes that are not committed; ${KEEP}`;
const OVERWRITES = "a file is overwritten";

const resetsBranch = (args: GitArguments, option: string): GitHazard[] =>
  args.values(option).map((name) => movesBranch(name, args.operands[0] ?? "HEAD"));

const allPaths = ({ operands, paths }: GitArguments): readonly string[] => [
  ...operands,
  ...(paths ?? []),
];

const CHECKOUT = `guess overlay q|quiet recurse-submodules? progress m|merge conflict= d|detach t|track? f|force
  orphan= overwrite-ignore ignore-other-worktrees 2|ours 3|theirs p|patch ignore-skip-worktree-bits l b= B=
  U|unified= inter-hunk-context= ${PATHSPECS}`;

function checkoutHazards(args: GitArguments): GitHazard[] {
  const found = resetsBranch(args, "B");
  if (args.has("recurse-submodules")) found.push(hazard("discard", LOSES));
  if (args.has("force", "merge", "conflict"))
    found.push(hazard("discard", LOSES, isClean(args.operands.length > 0 ? "ignored" : "tracked")));
  if (args.has("pathspec-from-file", "patch"))
    found.push(hazard("discard", LOSES, isClean("tracked")));
  if (args.has("ours", "theirs"))
    found.push(hazard("discard", LOSES, isClean("tracked", allPaths(args))));
  if (args.paths !== null) return [...found, ...overwritten(args)];
  const [word, ...more] = args.operands;
  if (word !== undefined && more.length === 0)
    found.push(leavesHead(word), overwritesIgnored(word));
  // With these the words are commits.
  if (word === undefined || args.has("b", "B", "orphan", "detach", "track")) return found;
  if (more.length > 0) found.push(hazard("discard", LOSES, isClean("ignored", args.operands)));
  else if (word !== "-") found.push(branchOrFile(word));
  return found;
}

const branchOrFile = (word: string): GitHazard =>
  hazard(
    "discard",
    `it loses changes of \`${word}\` that are not committed; ${KEEP}`,
    anyOf({ kind: "no-path", word }, isClean("tracked", [word])),
  );

/** From the index only known files are written; from a commit also what lies in their way. */
function overwritten({ paths, operands }: GitArguments): readonly GitHazard[] {
  if (paths === null || paths.length === 0) return NO_HAZARDS;
  return [hazard("discard", LOSES, isClean(operands.length > 0 ? "ignored" : "tracked", paths))];
}

const SWITCH = `c|create= C|force-create= guess discard-changes q|quiet recurse-submodules? progress m|merge conflict=
  d|detach t|track? f|force orphan= overwrite-ignore ignore-other-worktrees`;

function switchHazards(args: GitArguments): readonly GitHazard[] {
  const found = resetsBranch(args, "force-create");
  if (args.has("recurse-submodules"))
    found.push(hazard("discard", "changes of a submodule are lost"));
  if (args.has("force", "discard-changes", "merge", "conflict"))
    found.push(hazard("discard", `a forced switch loses changes; ${KEEP}`, isClean("ignored")));
  const target = args.operands.slice(0, 1);
  return [...found, ...target.map(leavesHead), ...target.map(overwritesIgnored)];
}

const CLEANS =
  "cleaning deletes files that git does not know; see them with `git clean -n` and delete by name what you made";

const RESTORE = `s|source= S|staged W|worktree ignore-unmerged overlay q|quiet recurse-submodules? progress m|merge
  conflict= 2|ours 3|theirs p|patch ignore-skip-worktree-bits U|unified= inter-hunk-context= ${PATHSPECS}`;

/** What leaves the index alone is still in the files. */
function restoreHazards(args: GitArguments): readonly GitHazard[] {
  if (args.has("staged") && !args.has("worktree")) return NO_HAZARDS;
  if (args.has("recurse-submodules")) return [hazard("discard", "changes of a submodule are lost")];
  const paths = args.has("pathspec-from-file") ? [] : allPaths(args);
  const reach = args.has("source") ? "ignored" : "tracked";
  return [hazard("discard", `restoring files loses their changes; ${KEEP}`, isClean(reach, paths))];
}

const RESET = `q|quiet refresh mixed soft hard merge keep recurse-submodules? p|patch N|intent-to-add
  U|unified= inter-hunk-context= ${PATHSPECS}`;
/** Undoing the last commit leaves all of it in the files, as `commit --amend` does. */
const LAST_COMMIT = /^(HEAD|@)([~^]1?|@\{0\})?$/;

function resetHazards(args: GitArguments): readonly GitHazard[] {
  const target = args.operands[0] ?? "HEAD";
  const keepsCommits = anyOf(
    { kind: "ancestor", of: "HEAD", from: target },
    { kind: "kept-elsewhere", refs: ["HEAD"] },
  );
  if (args.has("hard", "merge", "keep", "recurse-submodules")) {
    const what =
      "a hard reset loses changes, or commits that no other branch has; `git stash` or `git branch` keeps them";
    if (args.has("recurse-submodules")) return [hazard("reset-hard", what)];
    const reach = target === "HEAD" ? "tracked" : "ignored";
    return [hazard("reset-hard", what, allOf(isClean(reach), keepsCommits))];
  }
  const isOfPaths = args.paths !== null && args.paths.length > 0;
  if (isOfPaths || args.operands.length !== 1 || args.has("patch", "pathspec-from-file"))
    return NO_HAZARDS;
  if (LAST_COMMIT.test(target)) return NO_HAZARDS;
  const unless = anyOf(keepsCommits, { kind: "new-ref", name: target });
  return [hazard("rewrite-history", "commits are taken off the branch", unless)];
}

const RM = `n|dry-run q|quiet cached f|force r ignore-unmatch sparse ${PATHSPECS}`;
const WHOLE_TREE = /^(\.?\/?|\*+|:\/?|:\(top\).*|\.\.(\/.*)?|\.\/\*)$/;

/** Without `-f` git refuses to delete what differs from the last commit. */
function rmHazards(args: GitArguments): readonly GitHazard[] {
  const paths = allPaths(args);
  const isWide = args.has("pathspec-from-file") || paths.some((path) => WHOLE_TREE.test(path));
  const isForced = args.has("force");
  if (args.has("dry-run") || (!isForced && (!isWide || args.has("cached")))) return NO_HAZARDS;
  if (isWide && !args.has("cached")) return [hazard("discard", "it deletes the whole tree")];
  const unless = isClean("tracked", isWide ? [] : paths);
  return [hazard("discard", "files deleted by force are lost", unless)];
}

const APPLY = `exclude= include= no-add stat allow-binary-replacement binary numstat summary check index N|intent-to-add
  cached unsafe-paths apply 3|3way build-fake-ancestor= z p= C= whitespace= ignore-space-change ignore-whitespace
  R|reverse unidiff-zero reject allow-overlap v|verbose q|quiet inaccurate-eof recount directory= allow-empty ours
  theirs union`;

/** Whether to list the files of the patches by themselves is to know what is changed: forward, by its names as they are. */
const isReadAlike = (args: GitArguments): boolean =>
  args.paths === null &&
  args.operands.every((file) => /^[\w./@+,:-]+$/.test(file)) &&
  !args.has("reverse", "reject", "p", "directory", "include", "exclude", "recount") &&
  !args.has("inaccurate-eof", "unidiff-zero", "allow-overlap", "ours", "theirs", "union");

function applyHazards(args: GitArguments): readonly GitHazard[] {
  const onlyLooks = args.has("stat", "numstat", "summary", "check") && !args.has("apply");
  if (onlyLooks || args.has("cached")) return NO_HAZARDS;
  if (args.has("unsafe-paths", "build-fake-ancestor"))
    return [hazard("discard", "it writes files outside of the repository")];
  const what = "a patch may take back changes that are not committed";
  const patches = isReadAlike(args) ? args.operands : [];
  const unless = anyOf(isClean("tracked"), { kind: "patches-clean", patches });
  return [hazard("discard", what, patches.length > 0 ? unless : isClean("tracked"))];
}

const UPDATE_INDEX = `q add replace remove unmerged refresh really-refresh cacheinfo chmod= assume-unchanged
  skip-worktree ignore-skip-worktree-entries ignore-submodules info-only force-remove stdin z index-info unresolve
  g|again ignore-missing verbose clear-resolve-undo index-version= split-index untracked-cache test-untracked-cache
  force-untracked-cache force-write-index fsmonitor fsmonitor-valid`;

function updateIndexHazards(args: GitArguments): readonly GitHazard[] {
  if (args.has("assume-unchanged", "skip-worktree", "fsmonitor", "fsmonitor-valid"))
    return [hazard("discard", "git would then overwrite the file without a word")];
  if (args.has("cacheinfo", "force-remove", "stdin", "index-info", "unresolve", "replace"))
    return [hazard("discard", "what is staged is overwritten", isClean("tracked"))];
  return NO_HAZARDS;
}

const READ_TREE = `index-output= empty v|verbose m u i n|dry-run q|quiet trivial aggressive reset prefix=
  exclude-per-directory= sparse-checkout debug-unpack recurse-submodules?`;
const CHECKOUT_INDEX =
  "a|all ignore-skip-worktree-bits f|force q|quiet n|no-create u|index z stdin temp prefix= stage=";
const MERGE_FILE =
  "p|stdout q|quiet L= ours theirs union diff3 zdiff3 marker-size= object-id diff-algorithm=";

const rule = (
  options: string,
  hazards: (args: GitArguments) => readonly GitHazard[] | GitHazard | null,
): GitRule => ({
  options,
  hazards: (args) => [hazards(args) ?? NO_HAZARDS].flat(),
});

export const WORKTREE_RULES: ReadonlyMap<string, GitRule> = new Map<string, GitRule>([
  ["checkout", rule(CHECKOUT, checkoutHazards)],
  ["switch", rule(SWITCH, switchHazards)],
  ["restore", rule(RESTORE, restoreHazards)],
  ["reset", rule(RESET, resetHazards)],
  ["rm", rule(RM, rmHazards)],
  ["apply", rule(APPLY, applyHazards)],
  ["update-index", rule(UPDATE_INDEX, updateIndexHazards)],
  [
    "clean",
    rule("q|quiet n|dry-run f|force i|interactive d e|exclude= x X", (args) =>
      args.has("dry-run") ? null : hazard("clean", CLEANS),
    ),
  ],
  [
    "mv",
    rule("v|verbose n|dry-run f|force k sparse", (args) =>
      args.has("force") && !args.has("dry-run")
        ? hazard("discard", OVERWRITES, isClean("ignored", args.operands))
        : null,
    ),
  ],
  [
    "read-tree",
    rule(READ_TREE, (args) =>
      args.has("dry-run") ? null : hazard("discard", LOSES, isClean("ignored")),
    ),
  ],
  [
    "checkout-index",
    rule(CHECKOUT_INDEX, (args) => {
      if (!args.has("force")) return null;
      // Below a prefix it overwrites files that git does not know.
      return hazard("discard", LOSES, ...(args.has("prefix") ? [] : [isClean("tracked")]));
    }),
  ],
  [
    "merge-file",
    rule(MERGE_FILE, (args) =>
      args.has("stdout")
        ? null
        : hazard("discard", OVERWRITES, isClean("ignored", args.operands.slice(0, 1))),
    ),
  ],
  [
    "mailinfo",
    rule("k b m|message-id scissors encoding= quoted-cr= n u", ({ operands }) =>
      hazard("discard", OVERWRITES, isClean("ignored", operands.slice(0, 2))),
    ),
  ],
  [
    "rerere",
    rule("rerere-autoupdate", ({ operands }) =>
      /^(clear|forget)$/.test(operands[0] ?? "")
        ? hazard("discard", "recorded resolutions are lost")
        : null,
    ),
  ],
  [
    "sparse-checkout",
    rule("cone sparse-index stdin skip-checks", ({ operands }) =>
      operands[0] === "list"
        ? null
        : hazard("discard", "files are taken off the worktree", isClean("ignored")),
    ),
  ],
  ...["merge-recursive", "merge-recursive-ours", "merge-recursive-theirs", "merge-resolve"].map(
    (name): [string, GitRule] => [
      name,
      rule("", () => hazard("discard", LOSES, isClean("ignored"))),
    ],
  ),
]);
