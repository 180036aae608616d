// Subcommands that only read, with the options they may have for that. A repository's own drivers and monitors count
// as part of git: whether there are any cannot be told from the line.
import type { GitOptionTable } from "./arguments.ts";

const COLOR = "color? color-moved? color-moved-ws= color-words? ws-error-highlight=";
const DIFF = `p|patch u s|no-patch U|unified= W|function-context raw patch-with-raw patch-with-stat numstat shortstat
  X|dirstat? cumulative dirstat-by-file? check summary name-only name-status stat? stat-width= stat-name-width=
  stat-graph-width= stat-count= compact-summary binary full-index abbrev? src-prefix= dst-prefix= line-prefix=
  no-prefix default-prefix inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context=
  B|break-rewrites? M|find-renames? D|irreversible-delete C|find-copies? find-copies-harder no-renames rename-empty
  follow l= minimal w|ignore-all-space b|ignore-space-change ignore-space-at-eol ignore-cr-at-eol
  ignore-blank-lines I|ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored=
  word-diff? word-diff-regex= relative? a|text exit-code q|quiet no-ext-diff no-textconv ignore-submodules?
  submodule? ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex rotate-to= skip-to= O= R S= G=
  find-object= diff-filter= z cached staged merge-base base ours theirs 0 1 2 3 no-index c cc combined-all-paths
  m t dd diff-merges= remerge-diff first-parent ${COLOR}`;
const REVISIONS = `n|max-count= # skip= since= after= until= before= since-as-filter= author= committer= grep-reflog=
  grep= all-match invert-grep i|regexp-ignore-case basic-regexp E|extended-regexp F|fixed-strings P|perl-regexp
  remove-empty merges no-merges min-parents= max-parents= exclude-first-parent-only not all branches? tags? remotes?
  glob= exclude= exclude-hidden= reflog ignore-missing stdin cherry-mark cherry-pick left-only right-only
  cherry g|walk-reflogs merge boundary use-bitmap-index simplify-by-decoration show-pulls full-history dense sparse
  simplify-merges ancestry-path? date-order author-date-order topo-order reverse no-walk? do-walk pretty? format=
  abbrev-commit no-abbrev-commit oneline encoding= expand-tabs? notes? no-notes show-notes? standard-notes
  relative-date date= parents children left-right graph no-graph show-linear-break? decorate? decorate-refs=
  decorate-refs-exclude= clear-decorations source use-mailmap mailmap log-size L= in-commit-order count timestamp
  objects objects-edge unpacked filter= missing= disk-usage? header no-commit-header commit-header quiet bisect
  bisect-vars bisect-all show-stash object-names unsorted`;
const LOG = `${REVISIONS} ${DIFF}`;
const LIST = `count= s p perl python tcl sort= points-at= merged? no-merged? contains? no-contains? ignore-case format=
  color? exclude= omit-empty include-root-refs stdin start-after=`;

/** Options by subcommand; what has subcommands of its own is told by its first word, as in `stash list`. */
export const READING: ReadonlyMap<string, GitOptionTable> = new Map([
  [
    "status",
    `v|verbose s|short b|branch show-stash ahead-behind porcelain? long z|null u|untracked-files? ignored?
    ignore-submodules? column? no-renames renames M|find-renames?`,
  ],
  ...["diff", "diff-tree", "diff-index", "diff-files", "range-diff"].map(
    (name) =>
      [
        name,
        `${DIFF} r root creation-factor= no-dual-color left-only right-only no-commit-id pretty? format= oneline notes? stdin s v always`,
      ] as const,
  ),
  ...["log", "show", "whatchanged", "rev-list"].map((name) => [name, LOG] as const),
  ["shortlog", `n|numbered s|summary e|email w? c|committer group= ${REVISIONS}`],
  [
    "rev-parse",
    `verify q|quiet sq short? symbolic symbolic-full-name abbrev-ref? all branches? tags? remotes? glob=
    exclude= exclude-hidden= disambiguate= local-env-vars path-format= git-dir git-common-dir resolve-git-dir=
    git-path= show-toplevel absolute-git-dir show-superproject-working-tree shared-index-path is-inside-git-dir
    is-inside-work-tree is-bare-repository is-shallow-repository show-cdup show-prefix show-object-format?
    show-ref-format since= until= after= before= revs-only no-revs flags no-flags default= prefix= not end-of-options`,
  ],
  [
    "ls-files",
    `z t v f c|cached d|deleted m|modified o|others i|ignored s|stage k|killed directory eol empty-directory
    u|unmerged resolve-undo x|exclude= X|exclude-from= exclude-per-directory= exclude-standard full-name
    recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate sparse format=`,
  ],
  [
    "ls-tree",
    "d r t l|long z name-only name-status object-only full-name full-tree format= abbrev?",
  ],
  [
    "cat-file",
    `t s e p allow-unknown-type batch? batch-check? batch-command? batch-all-objects buffer unordered z Z
    follow-symlinks use-mailmap mailmap path=`,
  ],
  ...["blame", "annotate"].map(
    (name) =>
      [
        name,
        `b root show-stats L= l t S= reverse= p|porcelain line-porcelain
    incremental encoding= contents= date= progress ignore-rev= ignore-revs-file= color-lines color-by-age c
    score-debug f|show-name n|show-number s e|show-email w minimal abbrev= M? C? h`,
      ] as const,
  ),
  [
    "describe",
    `contains debug all tags long first-parent abbrev? exact-match candidates= match= exclude= always dirty?
    broken?`,
  ],
  ["name-rev", "name-only tags refs= exclude= all stdin annotate-stdin undefined always"],
  ["merge-base", "a|all octopus independent is-ancestor fork-point"],
  ["for-each-ref", LIST],
  [
    "show-ref",
    "tags heads branches verify head d|dereference s|hash? abbrev? q|quiet exclude-existing? exists",
  ],
  ["count-objects", "v|verbose H|human-readable"],
  ["check-ignore", "q|quiet v|verbose stdin z n|non-matching no-index"],
  ["check-attr", "a|all cached stdin z source="],
  ["check-mailmap", "stdin mailmap-file= mailmap-blob="],
  ["check-ref-format", "normalize branch allow-onelevel refspec-pattern print"],
  ["var", "l"],
  ["cherry", "abbrev? v|verbose"],
  ["verify-pack", "v|verbose s|stat-only object-format="],
  ["version", "build-options"],
  [
    "help",
    "a|all verbose external-commands aliases c|config g|guides user-interfaces developer-interfaces m|man",
  ],
  [
    "show-branch",
    `a|all r|remotes topo-order date-order sparse current merge-base no-name sha1-name topics reflog?
    independent list more= color?`,
  ],
  [
    "fsck",
    `v|verbose unreachable dangling tags root cache reflogs full connectivity-only strict progress name-objects
    references`,
  ],
  [
    "grep",
    `cached no-index untracked exclude-standard no-exclude-standard recurse-submodules v|invert-match
    i|ignore-case w|word-regexp a|text textconv I r|recursive max-depth= E|extended-regexp G|basic-regexp
    F|fixed-strings P|perl-regexp n|line-number column h H full-name l|files-with-matches name-only
    L|files-without-match z|null o|only-matching c|count color? break heading C|context= B|before-context=
    A|after-context= threads= N p|show-function W|function-context f= e= and or not q|quiet all-match m|max-count=
    # ext-grep`,
  ],
  ["get-tar-commit-id", ""],
  ["column", "command= mode? raw-mode= width= indent= nl= padding="],
  ["stripspace", "s|strip-comments c|comment-lines"],
  ["patch-id", "unstable stable verbatim"],
  ["diff-pairs", DIFF],
  [
    "ls-remote",
    "heads b|branches t|tags refs q|quiet exit-code get-url sort= symref o|server-option= h",
  ],
  [
    "archive",
    "format= l|list prefix= add-file= add-virtual-file= worktree-attributes v|verbose mtime= # ",
  ],
  ["stash list", LOG],
  ["stash show", `${DIFF} u|include-untracked only-untracked`],
  ["reflog", LOG],
  ["reflog show", LOG],
  ["reflog list", ""],
  ["reflog exists", ""],
  ["worktree list", "porcelain v|verbose expire= z"],
  ["notes list", ""],
  ["notes show", ""],
  ["notes get-ref", ""],
  ["submodule", "q|quiet cached recursive"],
  ["submodule status", "q|quiet cached recursive"],
  ["submodule summary", "q|quiet cached files n|summary-limit="],
  ["bisect log", ""],
  ["bisect terms", "term-good term-bad term-old term-new"],
  ["bundle verify", "q|quiet"],
  ["bundle list-heads", ""],
  ["sparse-checkout list", ""],
  ["remote", "v|verbose"],
  ["remote get-url", "push all"],
  [
    "config get",
    "all regexp value= fixed-value url= show-names global system local worktree f|file= blob= type= z|null name-only show-origin show-scope includes default= bool int path",
  ],
  [
    "config list",
    "global system local worktree f|file= blob= z|null name-only show-origin show-scope includes type=",
  ],
  ["maintenance is-needed", ""],
  ["", "v|version h|help exec-path html-path man-path info-path"],
]);
