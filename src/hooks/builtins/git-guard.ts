// Refuses git commands that lose work, knowing git's own options. Every git call of a line counts, git's own aliases
// followed; what depends on the repository is looked up.
import { resolve } from "node:path";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import {
  anyOf,
  type GitCondition,
  type GitHazard,
  hazard,
  isClean,
} from "../../core/shell/git/hazard.ts";
import { findGitRule, hazardsOf, readByRule } from "../../core/shell/git/hazards.ts";
import { GIT_SUBCOMMANDS } from "../../core/shell/git/subcommands.ts";
import { expandGitAlias, type GitCall } from "../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { changedByHand } from "./git-by-hand.ts";
import { findWrittenSetting } from "./git-config.ts";
import { GitLine } from "./git-line.ts";
import { GitRepositories, type GitRepository } from "./git-lookup.ts";
import { findInFetch, findProtected, readPush } from "./git-push.ts";
import type { BuiltinOptions } from "./options.ts";

type GitOptions = BuiltinOptions<"git">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission", "before_command"];

export const gitGuard: Builtin<GitOptions> = {
  name: "git",
  description: "refuses git commands that lose work: force pushes, hard resets, cleaning, …",
  steps: STEPS,
  async decide(options, subject, { rule, env, signal }) {
    const repositories = new GitRepositories({ env, signal });
    const found = await findInStep(subject, options, repositories);
    const { forbid } = options;
    const refused = found.find(
      ({ kind }) => kind === "protected-branch" || forbid.some((each) => each === kind),
    );
    const restricts = forbid.length > 0 || options.protected_branches.length > 0;
    const offence =
      refused ?? (restricts ? found.find(({ kind }) => kind === "hidden") : undefined);
    if (offence === undefined) return NO_INTERVENTION;
    const why = options.reason === null ? "" : `; ${options.reason}`;
    const reason = `\`${rule}\`: ${offence.what} (\`${offence.text}\`)${why}`;
    // Who lists `hidden` has it refused like anything else in the list.
    return refused === undefined
      ? actUnsure(options.unsure, reason, subject)
      : actBecause(options.action, reason);
  },
};

interface Offence {
  /** `hidden` is what cannot be known. */
  readonly kind: NonNullable<GitHazard["kind"]> | "protected-branch" | "hidden";
  readonly what: string;
  readonly text: string;
}

interface Search {
  readonly options: GitOptions;
  readonly repositories: GitRepositories;
  readonly subject: StepSubject;
  readonly aliases: number;
  /** Where an alias is expanded, the place of the call that used it. */
  readonly at: string | null;
}

const MAX_ALIASES = 4;

async function findInStep(
  subject: StepSubject,
  options: GitOptions,
  repositories: GitRepositories,
): Promise<Offence[]> {
  const line = analyzeStepLine(subject);
  if (line === null) return [];
  const search = { options, repositories, subject, aliases: 0, at: null };
  return [...(await findInLine(line, search)), ...findUnreadable(line)];
}

const WRITE_PLAINLY =
  "the line cannot be read far enough to be sure; write the git command plainly";
/** A program that the environment names is none of git's business. */
const FROM_ENVIRONMENT = /^"?\$\{?[A-Z_][A-Z0-9_]*\}?"?( |$)/;

function findUnreadable({ line, problem, unsure, unresolved }: LineAnalysis): Offence[] {
  const isAboutGit = /git/i.test(line);
  const found = unsure.find(({ kind, text }) => {
    if (kind === "shell-input") return true;
    if (kind === "program") return isAboutGit || !FROM_ENVIRONMENT.test(text);
    return kind === "written-script" && isAboutGit;
  });
  const text = problem ?? (isAboutGit ? unresolved[0] : undefined) ?? found?.text;
  return text === undefined ? [] : [{ kind: "hidden", what: WRITE_PLAINLY, text }];
}

async function findInLine(analysis: LineAnalysis, search: Search): Promise<Offence[]> {
  const found: Offence[] = [];
  const line = new GitLine(analysis);
  let isTooMuch = false;
  for (const command of analysis.commands) {
    const call = line.readCall(command);
    if (call === null) continue;
    try {
      const offences = await findInCall(call, { ...search, command, line });
      found.push(...offences.map((offence) => ({ text: command.text, ...offence })));
    } catch (error) {
      if (!(error instanceof TooMuchToLookAt)) throw error;
      // What the calls behind it say by themselves still counts.
      if (!isTooMuch) found.push({ kind: "hidden", what: error.message, text: command.text });
      isTooMuch = true;
    }
  }
  return [...found, ...findByHand(analysis)];
}

function findByHand(analysis: LineAnalysis): Offence[] {
  const what = "it changes git's own files by hand; use git for it";
  try {
    return changedByHand(analysis).map(({ text }) => ({ kind: "hidden", what, text }));
  } catch (error) {
    if (!(error instanceof TooMuchToLookAt)) throw error;
    return [{ kind: "hidden", what: error.message, text: analysis.line }];
  }
}

type Found = Pick<Offence, "kind" | "what"> & Partial<Offence>;
interface CallSearch extends Search {
  readonly command: SimpleCommand;
  readonly line: GitLine;
}

async function findInCall(call: GitCall, search: CallSearch): Promise<Found[]> {
  const { subcommand, hiding } = call;
  if (subcommand === null) return [{ kind: "hidden", what: "it hides what git does" }];
  const hidden: Found[] =
    hiding === null ? [] : [{ kind: "hidden", what: `\`${hiding}\` hides what git does` }];
  const cwd = placeOf(call, search);
  const repository = search.repositories.at(cwd);
  if (subcommand !== "" && !GIT_SUBCOMMANDS.has(subcommand))
    return [...hidden, ...(await findInAlias(call, subcommand, { ...search, repository, cwd }))];
  const hazards = [...hazardsOf({ ...call, subcommand }), ...overwrittenBy(search.command)];
  const { forbid } = search.options;
  const sure = hazards.find(
    ({ kind, unless }) => unless === undefined && forbid.some((each) => each === kind),
  );
  // Nothing need be looked up where it is clear already.
  if (sure !== undefined) return [asOffence(sure, false)];
  const changes = search.line.changesBefore(search.command);
  const written = findWrittenSetting(call);
  const found: Found[] =
    written === null
      ? hidden
      : [{ kind: "hidden", what: `\`${written}\` has git run or push something else` }];
  if (subcommand === "subtree") found.push(...findInSubtree(call, search.options));
  if (/^(push|send-pack|http-push)$/.test(subcommand))
    found.push(...(await findInPush(call, subcommand, { ...search, repository })));
  if (/^(fetch|pull)$/.test(subcommand))
    found.push(...(await findInFetch(repository)).map((each) => asOffence(each, false)));
  for (const each of hazards) {
    const isHarmless =
      each.unless === undefined ? false : await repository.holds(each.unless, changes);
    if (isHarmless !== true) found.push(asOffence(each, isHarmless));
  }
  return found;
}

/** `git show HEAD:a > a` is `git checkout HEAD a`; of a file that git does not know it is a copy. */
function overwrittenBy({ redirections }: SimpleCommand): GitHazard[] {
  return redirections.flatMap((each): GitHazard[] => {
    if (each.kind === "text" || !each.writes || each.target.kind !== "literal") return [];
    const path = each.target.text;
    if (/^[/~]|^\.\.(\/|$)|^$/.test(path)) return [];
    const isHarmless = anyOf({ kind: "absent", path }, isClean("tracked", [path]));
    return [hazard("discard", `changes of \`${path}\` are overwritten`, isHarmless)];
  });
}

async function findInPush(
  { args, takesMoreWords }: GitCall,
  subcommand: string,
  { options, line, repository }: CallSearch & { readonly repository: GitRepository },
): Promise<Found[]> {
  const rule = findGitRule(subcommand);
  if (rule === undefined) return [];
  const reading = readByRule({ subcommand, args, takesMoreWords }, rule);
  const { targets, hazards } = await readPush(reading, repository);
  const found: Found[] = hazards.map((each) => asOffence(each, false));
  const target = findProtected(targets, options.protected_branches);
  if (target !== null)
    found.push({
      kind: "protected-branch",
      what: `\`${target}\` is protected; push another branch`,
    });
  if (line.changesSettings)
    found.push({ kind: "hidden", what: "the line changes the settings of the push" });
  return found;
}

/** `git subtree push --prefix=DIR REMOTE BRANCH`. */
function findInSubtree({ args }: GitCall, { protected_branches }: GitOptions): Found[] {
  const words = args.map(({ text }) => text);
  const target = words.includes("push") ? words.at(-1)?.replace(/^.*:/, "") : undefined;
  if (target === undefined) return [];
  const branch = target.replace(/^\+?(refs\/)?heads\//, "");
  return findProtected([branch], protected_branches) === null
    ? []
    : [{ kind: "protected-branch", what: `\`${branch}\` is protected; push another branch` }];
}

/** Where it is not known whether a word is a branch or a file, nothing is known. */
function asOffence({ kind, what, unless }: GitHazard, isHarmless: boolean | null): Found {
  const isUnknown = isHarmless === null && unless !== undefined && asksForPath(unless);
  return { kind: kind === null || isUnknown ? "hidden" : kind, what };
}

const asksForPath = (condition: GitCondition): boolean =>
  condition.kind === "any" && condition.of.some(({ kind }) => kind === "no-path");

/** The folder in which git looks for its repository, null where that is not known. */
function placeOf(call: GitCall, { command, subject, at }: CallSearch): string | null {
  if (call.isElsewhere) return null;
  const [folder, another] = at === null ? command.folders : [at];
  if (folder === undefined || folder === null || another !== undefined) return null;
  const place = folder.replace(/^~(?=\/|$)/, subject.home);
  return [place, ...call.folders].reduce((from, to) => resolve(from, to), subject.envelope.cwd);
}

async function findInAlias(
  call: GitCall,
  subcommand: string,
  search: CallSearch & { repository: GitRepository; cwd: string | null },
): Promise<Found[]> {
  const { repository, aliases, line, cwd } = search;
  const settings = await repository.settings();
  const name = subcommand.toLowerCase();
  const alias =
    settings.get(`alias.${name}`)?.at(-1) ?? settings.get(`alias.${subcommand}.command`)?.at(-1);
  const what = `\`git ${subcommand}\` is neither git's own nor an alias that is known here`;
  if (alias === undefined || line.changesSettings) return [{ kind: "hidden", what }];
  if (aliases >= MAX_ALIASES) return [{ kind: "hidden", what: "its aliases lead in a circle" }];
  const expanded = analyzeLine(expandGitAlias(alias, call.args));
  return [
    ...(await findInLine(expanded, { ...search, aliases: aliases + 1, at: cwd })),
    ...findUnreadable({ ...expanded, line: `git ${expanded.line}` }),
  ];
}
