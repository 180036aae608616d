// What a git command does that a guard may forbid. Pure.
import { matchGlob } from "../match/glob.ts";
import { hasFlag, isDryRun, operandsOf } from "../shell/command-words.ts";
import type { GitCall } from "../shell/git-call.ts";

export const FORBIDDABLE = [
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
  "hidden",
] as const;
export type Forbidden = (typeof FORBIDDABLE)[number];

export interface Offence {
  readonly kind: Forbidden | "protected-branch";
  readonly what: string;
}

export interface GitView {
  readonly call: GitCall;
  readonly subcommand: string;
  readonly args: readonly string[];
  /** The branch that is checked out, null where it was not looked up. */
  readonly branch: string | null;
}

type Finder = (args: readonly string[]) => Offence[];

const offence = (kind: Offence["kind"], what: string): Offence[] => [{ kind, what }];
const given = (isGiven: boolean, kind: Offence["kind"], what: string): Offence[] =>
  isGiven ? offence(kind, what) : [];

const FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ["push", findInPush],
  [
    "reset",
    (args) =>
      given(
        hasFlag(args, "", "hard", "merge", "keep"),
        "reset-hard",
        "a hard reset loses what is not committed",
      ),
  ],
  [
    "clean",
    (args) => given(!isDryRun(args), "clean", "cleaning deletes files that git does not know"),
  ],
  ["branch", findInBranch],
  ["checkout", findInCheckout],
  [
    "switch",
    (args) =>
      given(
        hasFlag(args, "fC", "force", "discard-changes", "force-create"),
        "discard",
        "a forced switch loses changes",
      ),
  ],
  [
    "restore",
    (args) =>
      given(
        !(args.includes("-S") || args.includes("--staged")) || hasFlag(args, "W", "worktree"),
        "discard",
        "restoring files loses their changes",
      ),
  ],
  [
    "stash",
    (args) =>
      given(
        /^(drop|clear)$/.test(operandsOf(args)[0] ?? ""),
        "stash-drop",
        "a dropped stash is lost",
      ),
  ],
  [
    "reflog",
    (args) =>
      given(
        /^(expire|delete|drop)$/.test(operandsOf(args)[0] ?? ""),
        "rewrite-history",
        "without the reflog nothing can be recovered",
      ),
  ],
  [
    "update-ref",
    (args) =>
      given(hasFlag(args, "d", "delete", "stdin"), "branch-delete", "a deleted reference is lost"),
  ],
  [
    "worktree",
    (args) =>
      given(
        operandsOf(args)[0] === "remove" && hasFlag(args, "f", "force"),
        "discard",
        "a worktree removed by force loses its changes",
      ),
  ],
  [
    "gc",
    (args) =>
      given(
        hasFlag(args, "", "prune"),
        "rewrite-history",
        "pruning deletes what could still be recovered",
      ),
  ],
  [
    "commit",
    (args) =>
      given(hasFlag(args, "n", "no-verify"), "no-verify", "a commit must not pass by its checks"),
  ],
  ...["filter-branch", "filter-repo", "prune"].map((name): [string, Finder] => [
    name,
    () => offence("rewrite-history", "rewriting history loses commits"),
  ]),
]);

export function offencesOf(view: GitView, protectedBranches: readonly string[]): Offence[] {
  const found = FINDERS.get(view.subcommand)?.(view.args) ?? [];
  return [...found, ...findHidden(view), ...findProtected(view, protectedBranches)];
}

/** `-fd` means both; `--force-with-lease` begins like `--force` and is something else. */
function findInPush(args: readonly string[]): Offence[] {
  const letters = args.filter((arg) => /^-[^-]/.test(arg)).join("");
  const longs = args.filter((arg) => arg.startsWith("--"));
  const refspecs = operandsOf(args).slice(1);
  const isLong = (name: string): boolean => longs.some((long) => isCutOf(long, name));
  const isForce =
    letters.includes("f") || isLong("--force") || refspecs.some((each) => each.startsWith("+"));
  const isDelete =
    letters.includes("d") ||
    isLong("--delete") ||
    isLong("--prune") ||
    refspecs.some((each) => /^\+?:./.test(each));
  return [
    ...given(isForce, "force-push", "a forced push overwrites what others pushed"),
    ...given(
      isLong("--force-with-lease"),
      "force-with-lease",
      "a push with `--force-with-lease` rewrites the branch",
    ),
    ...given(isLong("--mirror"), "mirror", "a mirror push deletes what is not here"),
    ...given(isDelete, "delete-remote", "it deletes a branch or tag of the remote"),
    ...given(isLong("--no-verify"), "no-verify", "a push must not pass by its checks"),
  ];
}

/** Git takes a long option cut short where it is the only one; `--force` itself is exact. */
function isCutOf(long: string, name: string): boolean {
  const said = long.split("=", 1)[0] ?? "";
  if (said === name) return true;
  const shortest = { "--force-with-lease": "--force-w", "--mirror": "--m", "--delete": "--de" };
  const least = new Map(Object.entries(shortest)).get(name) ?? name;
  return said.length >= least.length && name.startsWith(said);
}

function findInBranch(args: readonly string[]): Offence[] {
  const isForced = hasFlag(args, "DMCf", "force") && !hasFlag(args, "", "format");
  return given(isForced, "branch-delete", "commits of a branch deleted or moved by force are lost");
}

function findInCheckout(args: readonly string[]): Offence[] {
  const discards =
    args.includes("--") || args.includes(".") || hasFlag(args, "fB", "force", "ours", "theirs");
  return given(discards, "discard", "checking out files or by force loses changes");
}

/** Subcommands whose unreadable words may be what is forbidden. */
const TELLING: ReadonlySet<string> = new Set(["push", "reset", "branch", "clean", "checkout"]);
const MAY_BE_OPTION = /^[$`{*?[]/;

function findHidden({ call, subcommand }: GitView): Offence[] {
  if (!TELLING.has(subcommand) || !call.isOpen) return [];
  const open = call.args.find((word) => word.kind !== "literal" && MAY_BE_OPTION.test(word.text));
  const isPushed = subcommand === "push";
  const hides = open !== undefined || (isPushed && call.args.some((word) => word.kind === "open"));
  if (!hides && call.args.every((word) => word.kind === "literal"))
    return offence("hidden", "words are added that cannot be seen here; write them out");
  return given(hides, "hidden", "an expansion may hide an option; write the words out");
}

function findProtected(
  { subcommand, args, branch }: GitView,
  wanted: readonly string[],
): Offence[] {
  if (subcommand !== "push" || wanted.length === 0) return [];
  const everything = hasFlag(args, "", "all", "branches", "mirror");
  const refspecs = operandsOf(args).slice(1);
  const targets =
    refspecs.length > 0 ? refspecs.map((each) => targetOf(each, branch)) : [branch ?? "*"];
  const hit = targets.find(
    (target) => target === "*" || wanted.some((glob) => matchGlob(glob, target, TEXT)),
  );
  if (hit === undefined && !everything) return [];
  return offence(
    "protected-branch",
    `\`${everything ? "all branches" : hit}\` is protected; push another branch`,
  );
}

const TEXT = { style: "text" } as const;

function targetOf(refspec: string, branch: string | null): string {
  const [source = "", target = source] = refspec.replace(/^\+/, "").split(":", 2);
  const name = target === "" ? source : target;
  if (name === "HEAD" || name === "@") return branch ?? "*";
  return name.replace(/^refs\/heads\//, "");
}
