// How dangerous a call of git is.
import type { StepSafety } from "../envelope.ts";
import { hasFlag, isDryRun, operandsOf } from "./command-words.ts";
import { type GitCall, hidesPrograms, readGitCall } from "./git-call.ts";
import type { SimpleCommand } from "./line-analysis.ts";

type Judge = (args: readonly string[]) => StepSafety;

const when =
  (test: (args: readonly string[]) => boolean, yes: StepSafety, no: StepSafety): Judge =>
  (args) =>
    test(args) ? yes : no;

const first = (args: readonly string[]): string => operandsOf(args)[0] ?? "";
const writesFile = (args: readonly string[]): boolean => hasFlag(args, "o", "output", "ext-diff");

const LOOKS = when(writesFile, "mutating", "read_only");
const FORCED = when((args) => hasFlag(args, "fD", "force", "delete"), "destructive", "mutating");

const READING = [
  ...["status", "rev-parse", "rev-list", "ls-files", "ls-tree", "cat-file", "blame", "annotate"],
  ...["describe", "name-rev", "merge-base", "for-each-ref", "show-ref", "shortlog", "whatchanged"],
  ...[
    "count-objects",
    "diff-tree",
    "diff-index",
    "diff-files",
    "check-ignore",
    "check-attr",
    "var",
  ],
  ...["cherry", "range-diff", "verify-commit", "verify-tag", "version", "help", "show-branch"],
  ...["fsck", "grep", "check-ref-format", "get-tar-commit-id", "column", "stripspace", "patch-id"],
];

const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...READING.map((name): [string, Judge] => [name, () => "read_only"]),
  ["log", LOOKS],
  ["diff", LOOKS],
  ["show", LOOKS],
  ["grep", when((args) => hasFlag(args, "O", "open-files-in-pager"), "mutating", "read_only")],
  ["ls-remote", () => "network"],
  ["fetch", when((args) => hasFlag(args, "fp", "force", "prune"), "mutating", "network")],
  ["push", judgePush],
  ["reset", when((args) => hasFlag(args, "", "hard", "merge", "keep"), "destructive", "mutating")],
  ["clean", when(isDryRun, "read_only", "destructive")],
  ["checkout", judgeCheckout],
  [
    "switch",
    when(
      (args) => hasFlag(args, "fC", "force", "discard-changes", "force-create"),
      "destructive",
      "mutating",
    ),
  ],
  ["restore", when(isOnlyStaged, "mutating", "destructive")],
  ["branch", judgeBranch],
  ["tag", judgeTag],
  ["stash", when((args) => /^(drop|clear)$/.test(first(args)), "destructive", "mutating")],
  [
    "reflog",
    when((args) => /^(expire|delete|drop)$/.test(first(args)), "destructive", "read_only"),
  ],
  ["remote", judgeRemote],
  ["config", judgeConfig],
  ["worktree", judgeWorktree],
  ["update-ref", FORCED],
  ["gc", when((args) => hasFlag(args, "", "prune"), "destructive", "mutating")],
  ...["prune", "filter-branch", "filter-repo", "prune-packed", "rm"].map(
    (name): [string, Judge] => [name, () => "destructive"],
  ),
  ["notes", when((args) => /^(|list|show)$/.test(first(args)), "read_only", "mutating")],
  ["submodule", when((args) => /^(|status|summary)$/.test(first(args)), "read_only", "mutating")],
  ["bisect", when((args) => /^(log|view|visualize)$/.test(first(args)), "read_only", "mutating")],
  ["archive", when(writesFile, "mutating", "read_only")],
  ["", () => "read_only"],
]);

export function classifyGit(command: SimpleCommand): StepSafety | null {
  const call = readGitCall(command);
  if (call === null) return null;
  if (call.subcommand === null || hidesPrograms(call, command.text)) return "destructive";
  if (call.subcommand === "push" && call.isOpen) return "destructive";
  return judgeCall(call, call.subcommand);
}

function judgeCall(call: GitCall, subcommand: string): StepSafety {
  const args = call.args.map((word) => word.text);
  const judged = JUDGES.get(subcommand)?.(args) ?? "mutating";
  // What is harmless in words that can be read may be anything in words that cannot.
  return call.isOpen && judged === "read_only" && LIST_COMMANDS.has(subcommand)
    ? "mutating"
    : judged;
}

const LIST_COMMANDS: ReadonlySet<string> = new Set(["branch", "tag", "remote", "config", "clean"]);

function isOnlyStaged(args: readonly string[]): boolean {
  return (args.includes("-S") || args.includes("--staged")) && !hasFlag(args, "W", "worktree");
}

function judgePush(args: readonly string[]): StepSafety {
  const isForced =
    hasFlag(
      args,
      "fd",
      "force",
      "force-with-lease",
      "force-if-includes",
      "mirror",
      "delete",
      "prune",
    ) ||
    operandsOf(args)
      .slice(1)
      .some((refspec) => /^[+:]/.test(refspec));
  if (isForced) return "destructive";
  return isDryRun(args) ? "network" : "mutating";
}

function judgeCheckout(args: readonly string[]): StepSafety {
  const discards =
    args.includes("--") || hasFlag(args, "fB", "force", "ours", "theirs") || args.includes(".");
  return discards ? "destructive" : "mutating";
}

function judgeBranch(args: readonly string[]): StepSafety {
  if (hasFlag(args, "DMCfd", "force", "delete")) return "destructive";
  if (hasFlag(args, "mcu", "move", "copy", "set-upstream-to", "unset-upstream", "edit-description"))
    return "mutating";
  const isListing = hasFlag(
    args,
    "alr",
    "list",
    "all",
    "remotes",
    "show-current",
    "contains",
    "merged",
    "no-merged",
    "format",
    "sort",
    "points-at",
  );
  return operandsOf(args).length === 0 || isListing ? "read_only" : "mutating";
}

function judgeTag(args: readonly string[]): StepSafety {
  if (hasFlag(args, "df", "delete", "force")) return "destructive";
  const isListing = hasFlag(args, "ln", "list", "contains", "merged", "points-at", "sort");
  return operandsOf(args).length === 0 || isListing ? "read_only" : "mutating";
}

function judgeRemote(args: readonly string[]): StepSafety {
  const verb = first(args);
  if (verb === "" || verb === "get-url") return "read_only";
  return verb === "show" || verb === "update" ? "network" : "mutating";
}

function judgeConfig(args: readonly string[]): StepSafety {
  if (/^(get|list)$/.test(first(args))) return "read_only";
  if (args.includes("-l")) return "read_only";
  if (hasFlag(args, "", "get", "get-all", "get-regexp", "get-urlmatch", "list", "get-color"))
    return "read_only";
  return operandsOf(args).length === 1 && args.length === 1 ? "read_only" : "mutating";
}

function judgeWorktree(args: readonly string[]): StepSafety {
  const verb = first(args);
  if (verb === "list") return "read_only";
  return verb === "remove" || verb === "prune" ? "destructive" : "mutating";
}
