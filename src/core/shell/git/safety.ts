// How dangerous a call of git is, by the same tables as the guard's. Conservative: only what is known to read is
// `read_only`, and only with options that are known to.
import type { StepSafety } from "../../step/envelope.ts";
import { type GitCall, readGitCall } from "../git-call.ts";
import type { SimpleCommand } from "../simple-command.ts";
import { readGitArguments } from "./arguments.ts";
import type { GitCondition } from "./hazard.ts";
import { findGitRule, hazardsOf } from "./hazards.ts";
import { READING } from "./reading.ts";

export function classifyGit(command: SimpleCommand): StepSafety | null {
  const call = readGitCall(command);
  if (call === null) return null;
  if (call.subcommand === null || call.hiding !== null) return "destructive";
  const { subcommand } = call;
  if (isReading(call, subcommand)) return subcommand === "ls-remote" ? "network" : readingBy(call);
  if (isListing(call, subcommand)) return readingBy(call);
  const hazards = hazardsOf({ ...call, subcommand });
  // The guard looks into the repository; here a word that may be a file is taken for the branch it mostly is.
  const isGrave = hazards.some(({ kind, unless }) => kind !== null && !isUnlikely(unless));
  if (isGrave || subcommand === "rm") return "destructive";
  if (subcommand === "push" && call.isOpen) return "destructive";
  return hazards.length === 0 && REACHING.has(subcommand) ? "network" : "mutating";
}

/** Settings that change what is printed, and how; every other may name a program or a file with more settings. */
const PRINTING_SETTING =
  /^(color\.[\w.]+|core\.(quotepath|abbrev|precomposeunicode)|diff\.(renames|algorithm|context|noprefix|mnemonicprefix|wserrorhighlight|renamelimit|colormoved)|log\.(date|decorate|abbrevcommit|follow|mailmap)|advice\.\w+|column\.\w+|status\.\w+|user\.(name|email)|init\.defaultbranch|safe\.directory|grep\.(linenumber|patterntype|fallbacktonoindex))$/;
const PAGER_SETTING = /^(core\.(pager|fsmonitor)|pager\..*)$/;
const HARMLESS_PAGER = /^(cat|false|true|less|)$/;

/** Another repository, or a setting that is not known, may bring programs of its own. */
function readingBy({ settings, isElsewhere }: GitCall): StepSafety {
  const isPrinting = settings.every(({ name, value }) =>
    PAGER_SETTING.test(name) ? HARMLESS_PAGER.test(value ?? "?") : PRINTING_SETTING.test(name),
  );
  return isPrinting && !isElsewhere ? "read_only" : "mutating";
}

/** They write nothing but copies of what a remote has. */
const REACHING: ReadonlySet<string> = new Set(["fetch"]);

const UNLIKELY: ReadonlySet<GitCondition["kind"]> = new Set<GitCondition["kind"]>([
  ...([
    "unpushed",
    "absent",
    "remotes-kept",
    "no-operation",
    "head-kept",
    "nothing-in-way",
  ] as const),
]);

const isUnlikely = (condition: GitCondition | undefined): boolean =>
  condition !== undefined &&
  (UNLIKELY.has(condition.kind) ||
    (condition.kind === "any" && condition.of.some(({ kind }) => kind === "no-path")));

function isReading({ args, takesMoreWords }: GitCall, subcommand: string): boolean {
  const [first, ...rest] = args;
  const own = first === undefined ? undefined : READING.get(`${subcommand} ${first.text}`);
  if (own !== undefined) return isWithin(rest, own, takesMoreWords);
  const table = READING.get(subcommand);
  if (table === undefined) return false;
  // What has subcommands of its own reads only without one, or with one that is listed.
  if (PARENTS.has(subcommand) && args.some(({ text }) => !text.startsWith("-"))) return false;
  return isWithin(args, table, takesMoreWords);
}

const PARENTS: ReadonlySet<string> = new Set(["submodule", "remote", "reflog"]);

function isWithin(args: GitCall["args"], table: string, takesMoreWords: boolean): boolean {
  const reading = readGitArguments(args, table, takesMoreWords);
  return reading.unknown.length === 0 && reading.hidden === null && args.every(isExact(table));
}

/** An option cut short might be one that is not in the table. */
const isExact =
  (table: string) =>
  ({ text }: { readonly text: string }): boolean => {
    const name = /^--([a-z][^=]*)/.exec(text)?.[1]?.replace(/^no-/, "");
    return name === undefined || table.split(/\s+/).some((each) => namesOf(each).includes(name));
  };

const namesOf = (option: string): string[] =>
  option
    .replace(/[=?]$/, "")
    .split("|")
    .flatMap((name) => [name, name.replace(/^no-/, "")]);

/** `git branch` and `git tag` list where nothing is named or an option says so. */
const LISTING: Readonly<Record<string, readonly string[]>> = {
  branch: [
    ...["list", "all", "remotes", "show-current", "contains", "no-contains", "merged", "no-merged"],
    ...["points-at", "verbose", "format", "sort", "column", "color", "abbrev", "ignore-case"],
  ],
  tag: [
    ...["list", "n", "contains", "no-contains", "merged", "no-merged", "points-at", "sort"],
    ...["format", "column", "color", "ignore-case"],
  ],
};
const NAMES_ARE_PATTERNS = ["list", "contains", "no-contains", "merged", "no-merged", "points-at"];

function isListing({ args, takesMoreWords }: GitCall, subcommand: string): boolean {
  if (subcommand === "config") return isConfigQuestion(args.map(({ text }) => text));
  if (subcommand === "symbolic-ref" || subcommand === "clean") return isQuestion(args, subcommand);
  const names = LISTING[subcommand];
  const rule = findGitRule(subcommand);
  if (names === undefined || rule === undefined) return false;
  const reading = readGitArguments(args, rule.options, takesMoreWords);
  const options = rule.options.split(/\s+/).flatMap((each) => each.replace(/[=?]$/, "").split("|"));
  const isOnlyListing = options.every((name) => !reading.has(name) || names.includes(name));
  const mayName = reading.has(...NAMES_ARE_PATTERNS, ...(subcommand === "tag" ? ["n"] : []));
  return (
    isOnlyListing &&
    reading.unknown.length === 0 &&
    reading.hidden === null &&
    (mayName || (reading.operands.length === 0 && reading.paths === null))
  );
}

function isQuestion(args: GitCall["args"], subcommand: string): boolean {
  const rule = findGitRule(subcommand);
  if (rule === undefined) return false;
  const reading = readGitArguments(args, rule.options, false);
  if (reading.unknown.length > 0 || reading.hidden !== null) return false;
  return subcommand === "clean"
    ? reading.has("dry-run") && !reading.has("interactive")
    : !reading.has("delete") && reading.operands.length === 1;
}

const CONFIG_PLACE =
  /^(--(global|local|system|worktree|null|name-only|show-origin|show-scope|includes|bool|int|path|type=.*|default=.*)|-z)$/;
const CONFIG_QUESTION = /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l)$/;

/** `git config NAME` alone asks; every other option may write. */
function isConfigQuestion(args: readonly string[]): boolean {
  const rest = args.filter((arg) => !CONFIG_PLACE.test(arg));
  if (rest.some((arg) => CONFIG_QUESTION.test(arg)))
    return rest.every((arg) => CONFIG_QUESTION.test(arg) || !arg.startsWith("-"));
  return rest.length === 1 && rest[0]?.startsWith("-") === false && rest[0].includes(".");
}
