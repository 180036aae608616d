// Which files a call of git reads or writes. What a subcommand loses of git's own is the business of the git guard.
import { asHead } from "../git/arguments.ts";
import { joinFolder } from "../line-state.ts";
import { HERE, type ShellWord } from "../simple-command.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { asNames, namedPaths, pathInRevision } from "./git-paths.ts";
import {
  ALL_SHOWN,
  ALL_WRITTEN,
  addedTree,
  bundled,
  CHANGED,
  cleaned,
  configUses,
  forced,
  ofWholeIndex,
  SHOWN,
  settingUses,
  templates,
  treeUses,
} from "./git-tree.ts";
import { type GitWords, readGitWords } from "./git-words.ts";

type Words = readonly ShellWord[];

const GLOBAL = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"]);

/** The folder of the call is said by `-C`, from that of the command. */
export function gitUses(words: Words, folders: readonly (string | null)[] = ["."]): FileUse[] {
  let places = folders;
  let index = 0;
  for (let word = words[index]; word?.text.startsWith("-") === true; word = words[++index]) {
    const value = words[index + 1];
    if (word.text === "-C")
      places = places.map((from) =>
        value?.kind === "literal" ? joinFolder(from, value.text) : null,
      );
    if (word.text === "-c" && /^alias\./i.test(value?.text ?? "")) return unknownVerb(words);
    if (GLOBAL.has(word.text)) index++;
  }
  const [verb, ...rest] = words.slice(index);
  if (verb === undefined || verb.kind !== "literal") return [];
  const options = words.slice(0, index);
  const uses = [
    ...treeUses(options, verb.text),
    ...settingUses(options),
    ...verbUses(verb.text, rest.map(asHead)),
  ];
  const isOwn = options.every(({ text }, at) => text === "-C" || options[at - 1]?.text === "-C");
  return uses.map((use) => ({ folders: places, ...use, ...(isOwn ? {} : { isPutBack: false }) }));
}

/** An alias, or a program of somebody else's: it may read what it likes. */
const unknownVerb = (words: Words): FileUse[] => [
  { access: "read", word: { text: "{}", kind: "open" } },
  ...possibleUses(words),
];

type VerbUses = (git: GitWords, words: Words) => readonly FileUse[];

function verbUses(verb: string, words: Words): FileUse[] {
  const rule = VERBS.get(verb);
  if (rule === undefined) return QUIET.test(verb) ? [] : unknownVerb(words);
  const git = readGitWords(verb, words);
  const named = git.values.flatMap(({ option, word }): FileUse[] => {
    if (/^(-o|--output|--output-directory|--separate-git-dir)$/.test(option))
      return [{ access: "write", word }];
    // `--ignore-revs-file=a`: what cannot be read of it is printed.
    return /^--[a-z-]+-(?:file|from)$/.test(option) ? [{ access: "read", word }] : [];
  });
  return [...named, ...rule(git, words)];
}

/** They print names, revisions and settings, or touch what git itself keeps. */
const QUIET =
  /^(ls-files|ls-tree|ls-remote|branch|tag|remote|fetch|rev-parse|rev-list|describe|check-ignore|check-attr|for-each-ref|show-ref|merge-base|shortlog|name-rev|count-objects|fsck|gc|prune|bisect|stripspace|column|mktree|commit-tree|write-tree|symbolic-ref|update-ref|var|version|help|maintenance|pack-refs|repack|switch|merge|pull|rebase|cherry-pick|revert|cherry|show-branch|verify-commit|verify-tag|remote-https|lfs|flow|svn|p4|subtree|filter-repo|filter-branch|absorb|town|credential|submodule|mergetool|rerere|request-pull|send-email|replace|fast-import)$/;

/** What changed is shown, not only where. */
const SHOWS_PATCH = /^(-[puU]|--(patch|un|bi|remerge).*)$/;

const namesOnly = ({ has }: GitWords): boolean =>
  has(
    /^--(stat|shortstat|numstat|name-only|name-status|summary|dirstat|compact-summary|quiet|no-patch|raw)$|^-s$/,
  ) && !has(SHOWS_PATCH);

/** Revisions may be paths as well; without either all files of the repository are shown. */
function shown({ words, paths }: GitWords): FileUse[] {
  const inside = words.filter(({ text }) => text.includes(":")).map(pathInRevision);
  const named = [...words.filter(({ text }) => !text.includes(":")), ...(paths ?? [])].map(
    pathInRevision,
  );
  const isNamed = (paths ?? []).length > 0 || inside.length > 0;
  // `:/text` is the commit that says so, as well as a path from the top.
  const onlyRevisions = !isNamed || words.some(({ text }) => text.startsWith(":/"));
  return [
    ...[...inside, ...named].map((word) => ({ ...SHOWN, ...asNames(word) })),
    ...(onlyRevisions ? [{ ...SHOWN, word: HERE }] : []),
  ];
}

function diffed(git: GitWords): FileUse[] {
  if (namesOnly(git) && !git.has(/^--no-index$/)) return [];
  if (git.words.length === 0 && git.paths === null) return [{ ...CHANGED, word: HERE }];
  if (!git.has(/^--no-index$/)) return shown(git);
  return [...git.words, ...(git.paths ?? [])].map((word) => ({
    access: "read",
    word,
    isRecursive: true,
  }));
}

const logged: VerbUses = (git) =>
  git.has(SHOWS_PATCH) || git.has(/^(-[Lc]|--(cc|full-diff|word-diff))$/) ? shown(git) : [];

/** Only the named ones; `git stash` alone takes what is tracked. */
const stashed: VerbUses = (git) => {
  const [first, ...rest] = git.words;
  if (first?.text === "show") return git.has(SHOWS_PATCH) ? shown({ ...git, words: rest }) : [];
  const all = git.has(/^(-a|--all)$/) ? [HERE] : [];
  const named = [...(git.paths ?? []), ...all].map(
    (word): FileUse => ({ access: "delete", word, isRecursive: true }),
  );
  const takesNew = git.has(/^(-u|--include-untracked)$/) && git.paths === null;
  return takesNew
    ? [...named, { access: "write", word: HERE, isRecursive: true, skips: "tracked" }]
    : named;
};

const added: VerbUses = ({ words, paths, has }) => {
  const named = [...words, ...(paths ?? [])];
  const kinds = has(/^(-f|--force)$/) ? [null] : (["unchanged", "tracked"] as const);
  const all = has(/^(-A|--all)$/) && named.length === 0 ? [HERE] : [];
  return [...named, ...all].flatMap((word) =>
    kinds.map((skips): FileUse => ({ access: "read", word, isRecursive: true, skips })),
  );
};

const searched: VerbUses = ({ words, paths, has, values }) => {
  const files = values.flatMap(({ option, word }): FileUse[] =>
    option === "-f" ? [{ access: "read", word }] : [],
  );
  const hasPattern = has(/^(-e|-f)$/);
  // Before `--` stand revisions.
  const before = (hasPattern ? words : words.slice(1)).filter(
    ({ text }) => paths === null || text.includes(":"),
  );
  const named = [...before, ...(paths ?? [])].map(pathInRevision);
  const kept = has(/^--untracked$/) ? "ignored" : "untracked";
  const skips = has(/^--no-index$/) ? null : kept;
  const isRevision = ({ text }: ShellWord): boolean =>
    /^(HEAD|main|master|[0-9a-f]{7,40}|[^~^@\n]*[~^@].*|origin\/.*)$/.test(text);
  const all = named.every(isRevision) ? [HERE] : named;
  return [
    ...files,
    ...all.map((word): FileUse => ({ access: "read", isRecursive: true, skips, ...asNames(word) })),
  ];
};

/** Words before `--` may be a branch. With `--staged` alone only the index changes. */
const restored: VerbUses = (git) => {
  const { has } = git;
  if (has(/^(-S|--staged)$/) && !has(/^(-W|--worktree)$/)) return [];
  const isPutBack = putsBack(git);
  return namedPaths(git).map((use) => ({ access: "write", skips: "untracked", isPutBack, ...use }));
};

/** `git checkout FILE`, `git checkout HEAD -- FILE`, `git restore FILE`: no other commit's. */
const putsBack = ({ words, paths, values }: GitWords): boolean =>
  values.every(({ option, word }) => !/^(-s|--source)$/.test(option) || word.text === "HEAD") &&
  (paths === null ? words.length === 1 : words.every(({ text }) => text === "HEAD"));

const removed: VerbUses = (git) =>
  git.has(/^--(cached|dry-run)$|^-n$/)
    ? []
    : namedPaths(git).map((use) => ({ access: "delete", ...use }));

// Which files a patch changes is not in the line.
const applied: VerbUses = ({ words, has, values }) => {
  if (has(/^--(check|stat|numstat|summary|abort|quit|continue|skip|show-current-patch)$/))
    return [];
  const patches = words.map((word): FileUse => ({ access: "read", word }));
  const below = values.flatMap(({ option, word }): FileUse[] =>
    option === "--directory"
      ? [{ access: "write", word, isRecursive: true, isPossible: true }]
      : [],
  );
  return [...patches, ...below, { access: "write", word: { text: "{}", kind: "open" } }];
};

const fileValues: VerbUses = ({ values }) =>
  values.flatMap(({ option, word }): FileUse[] =>
    /^(-F|-f|-t|--file|--add-file|--template)$/.test(option) ? [{ access: "read", word }] : [],
  );

const VERBOSE = /^(-v|--verbose)$/;

/** An editor gets the difference below the message, and `--dry-run` prints it. */
const tellsDifference = ({ has }: GitWords): boolean =>
  has(VERBOSE) && (has(/^--dry-run$/) || !has(/^(-m|-F|--message|--file)$/));

const readNamed: VerbUses = ({ words, paths }) =>
  [...words, ...(paths ?? [])].map(pathInRevision).map((word) => ({ access: "read", word }));

const lastWritten: VerbUses = ({ words }) =>
  words.slice(-1).map((word) => ({ access: "write", word, isRecursive: true }));

const verbs = (names: string, uses: VerbUses): [string, VerbUses][] =>
  names.split(" ").map((verb) => [verb, uses]);

const VERBS: ReadonlyMap<string, VerbUses> = new Map<string, VerbUses>([
  ["show", (git) => (namesOnly(git) ? [] : shown(git))],
  ...verbs("diff difftool range-diff", diffed),
  ...verbs("diff-files diff-index diff-tree log whatchanged reflog", logged),
  ["format-patch", shown],
  ["archive", (git, words) => [...fileValues(git, words), ...shown(git)]],
  ["stash", stashed],
  ["grep", searched],
  ...verbs("add stage", added),
  [
    "commit",
    (git, words) => [
      ...fileValues(git, words),
      ...(git.paths ?? []).map((word): FileUse => ({ access: "read", word, isRecursive: true })),
      ...(tellsDifference(git) ? ALL_SHOWN : []),
    ],
  ],
  ["merge-tree", ({ has }) => (has(/^--write-tree$/) ? [] : ALL_SHOWN)],
  ["status", (git) => (git.has(VERBOSE) ? ALL_SHOWN : [])],
  ...verbs("tag notes", fileValues),
  ["config", configUses],
  ["checkout", (git, words) => [...restored(git, words), ...forced(git)]],
  ["restore", restored],
  ["switch", forced],
  ["checkout-index", (git, words) => [...restored(git, words), ...ALL_SHOWN, ...ofWholeIndex(git)]],
  ["bundle", bundled],
  ["fast-export", () => ALL_SHOWN],
  ["cat-file", (git, words) => (git.has(/^--batch/) ? ALL_SHOWN : readNamed(git, words))],
  ["push", ({ words: [to] }) => (/^[./~]/.test(to?.text ?? "") ? ALL_SHOWN : [])],
  ["reset", ({ has }) => (has(/^--(hard|merge|keep)$/) ? ALL_WRITTEN : [])],
  ["read-tree", ({ has }) => (has(/^-u$/) ? ALL_WRITTEN : [])],
  ["sparse-checkout", ({ words: [verb] }) => (verb?.text === "list" ? [] : ALL_WRITTEN)],
  ["rm", removed],
  ["clean", cleaned],
  [
    "mv",
    ({ words }) => [
      ...words.slice(0, -1).map((word): FileUse => ({ access: "delete", word, isRecursive: true })),
      ...words.slice(-1).map((word): FileUse => ({ access: "write", word })),
    ],
  ],
  ...verbs("apply am", applied),
  ...verbs("blame annotate hash-object update-index", readNamed),
  [
    "clone",
    (git, words) => [
      ...lastWritten(git, words),
      ...git.words.slice(0, 1).map((word) => ({ ...SHOWN, word })),
      ...templates(git),
    ],
  ],
  ["init", (git, words) => [...lastWritten(git, words), ...templates(git)]],
  ["worktree", addedTree],
]);
