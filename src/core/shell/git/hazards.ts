// What a call of git may lose: one look-up over the tables beside this.
import type { ShellWord } from "../simple-command.ts";
import { ADDED_WORDS, type GitArguments, readGitArguments } from "./arguments.ts";
import { type GitHazard, type GitHazardKind, type GitRule, hazard } from "./hazard.ts";
import { HISTORY_RULES } from "./history.ts";
import { programHazards } from "./programs.ts";
import { REF_RULES } from "./refs.ts";
import { WORKTREE_RULES } from "./worktree.ts";

interface SubcommandCall {
  readonly subcommand: string;
  readonly args: readonly ShellWord[];
  readonly takesMoreWords: boolean;
  /** The words that are added are those that a listing of branches prints. */
  readonly takesBranches: boolean;
}

export const findGitRule = (subcommand: string): GitRule | undefined =>
  WORKTREE_RULES.get(subcommand) ?? REF_RULES.get(subcommand) ?? HISTORY_RULES.get(subcommand);

/** Behind `--` stand files only where a subcommand takes files: `git push -- origin a:b` is a push like any other. */
export function readByRule(
  call: Omit<SubcommandCall, "takesBranches">,
  { options }: GitRule,
): GitArguments {
  const reading = readGitArguments(call.args, options, call.takesMoreWords);
  if (WORKTREE_RULES.has(call.subcommand)) return reading;
  return { ...reading, operands: [...reading.operands, ...(reading.paths ?? [])], paths: null };
}

export function hazardsOf(call: SubcommandCall): GitHazard[] {
  const { subcommand, args, takesMoreWords } = call;
  const found = [...programHazards(subcommand, args)];
  const rule = findGitRule(subcommand);
  if (rule === undefined) return found;
  const reading = readByRule({ subcommand, args, takesMoreWords }, rule);
  // Of words that are not known yet nothing can be looked up.
  const isOpen = takesMoreWords || args.some(({ kind }) => kind === "open");
  for (const each of rule.hazards(reading))
    found.push(isOpen && each.unless !== undefined ? asUnknown(each) : each);
  // Words that cannot be read yet may be what is forbidden; of what is forbidden anyway there is no question.
  const isSure = found.some(({ kind, unless }) => kind !== null && unless === undefined);
  if (isSure) return found;
  const [unknown] = reading.unknown;
  if (unknown !== undefined && !TOLERANT.has(subcommand))
    found.push(hazard(null, `\`${unknown}\` is no option that is known of \`git ${subcommand}\``));
  const hidden = reading.hidden ?? openTarget(subcommand, args);
  const isNames = call.takesBranches && subcommand === "branch" && hidden === ADDED_WORDS;
  if (hidden !== null && !TOLERANT.has(subcommand))
    found.push({
      ...hazard(
        null,
        `\`${hidden}\` cannot be read here and may hide an option; write it out`,
        isNames ? { kind: "plain-branches" } : undefined,
      ),
      ...mayBeOf(LOSES.get(subcommand)),
    });
  return found;
}

const mayBeOf = (kinds: readonly GitHazardKind[] | undefined): Pick<GitHazard, "mayBe"> =>
  kinds === undefined ? {} : { mayBe: kinds };

const asUnknown = ({ kind, what }: GitHazard): GitHazard => ({
  ...hazard(null, what),
  ...mayBeOf(kind === null ? undefined : [kind]),
});

/** Of these no option loses anything else: of `git checkout "$branch"` nobody need be asked who allows both. */
const LOSES: ReadonlyMap<string, readonly GitHazardKind[]> = new Map([
  ["checkout", ["discard", "branch-delete"]],
  ["switch", ["discard", "branch-delete"]],
  ["restore", ["discard"]],
  ["rm", ["discard"]],
  ["branch", ["branch-delete"]],
  ["tag", ["branch-delete"]],
]);

/** Of these no option loses anything but what the rule names, whatever else they are given. */
const TOLERANT: ReadonlySet<string> = new Set([
  ...["commit", "merge", "cherry-pick", "revert", "stash", "lfs", "submodule", "bisect", "reflog"],
]);

/** A push's target is looked at, so it must be read whole. */
const openTarget = (subcommand: string, args: readonly ShellWord[]): string | null =>
  subcommand === "push" ? (args.find(({ kind }) => kind === "open")?.text ?? null) : null;
