// Refuses git commands that lose work, knowing git's own options. Every git call of a line counts, git's own aliases
// followed; what depends on the repository is looked up.
import { resolve } from "node:path";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { GitCondition, GitHazard } from "../../core/shell/git/hazard.ts";
import { findGitRule, hazardsOf, readByRule } from "../../core/shell/git/hazards.ts";
import { GIT_SUBCOMMANDS } from "../../core/shell/git/subcommands.ts";
import { expandGitAlias, type GitCall } from "../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { changedByHand } from "./git/by-hand.ts";
import { headsAfter, keyOfPlace, type Switch } from "./git/checked-out.ts";
import { findWrittenSetting } from "./git/config.ts";
import { GitLine } from "./git/line.ts";
import { GitRepositories, type GitRepository } from "./git/lookup.ts";
import { broughtBack, overwrittenBy, PRINTS_CONTENT } from "./git/overwritten.ts";
import { findInFetch, findProtected, readPush, UNREAD } from "./git/push.ts";
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
  /** And what that line had checked out by then. */
  readonly switches: readonly Switch[];
}

const MAX_ALIASES = 4;

async function findInStep(
  subject: StepSubject,
  options: GitOptions,
  repositories: GitRepositories,
): Promise<Offence[]> {
  const line = analyzeStepLine(subject);
  if (line === null) return [];
  const search = { options, repositories, subject, aliases: 0, at: null, switches: [] };
  return [...(await findInLine(line, search)), ...findUnreadable(line)];
}

const WRITE_PLAINLY =
  "the line cannot be read far enough to be sure; write the git command plainly";
const RUNS_UNREAD =
  "what this part of the line runs cannot be read before it runs; write the command plainly";
/** A program that the environment names is none of git's business. */
const FROM_ENVIRONMENT = /^"?\$\{?[A-Z_][A-Z0-9_]*\}?"?(\/[\w.-]+)*"?( |$)/;

function findUnreadable({ line, problem, unsure, unresolved }: LineAnalysis): Offence[] {
  const isAboutGit = /git/i.test(line);
  const found = unsure.find(({ kind, text }) => {
    if (kind === "shell-input") return true;
    if (kind === "program") return isAboutGit || !FROM_ENVIRONMENT.test(text);
    return kind === "written-script" && isAboutGit;
  });
  const text = problem ?? (isAboutGit ? unresolved[0] : undefined) ?? found?.text;
  return text === undefined
    ? []
    : [{ kind: "hidden", what: isAboutGit ? WRITE_PLAINLY : RUNS_UNREAD, text }];
}

async function findInLine(analysis: LineAnalysis, search: Search): Promise<Offence[]> {
  const found: Offence[] = [];
  const line = new GitLine(analysis);
  const calls: PlacedCall[] = [];
  const look = async (text: string, findAll: () => Promise<readonly Found[]>) => {
    try {
      for (const offence of await findAll()) found.push({ text, ...offence });
    } catch (error) {
      if (!(error instanceof TooMuchToLookAt)) throw error;
      // What the calls behind it say by themselves still counts.
      if (!found.some(({ what }) => what === error.message))
        found.push({ kind: "hidden", what: error.message, text });
    }
  };
  for (const command of analysis.commands) {
    const call = line.readCall(command);
    if (call === null) continue;
    calls.push({ call, command });
    await look(command.text, () => findInCall(line.withHead(call), { ...search, command, line }));
  }
  await look(analysis.line, () => findBroughtBack(calls, search, line));
  return [...found, ...findByHand(analysis)];
}

interface PlacedCall {
  readonly call: GitCall;
  readonly command: SimpleCommand;
}

/** The first is enough. */
async function findBroughtBack(
  calls: readonly PlacedCall[],
  search: Search,
  line: GitLine,
): Promise<Found[]> {
  const first = calls.find(({ call }) => PRINTS_CONTENT.test(call.subcommand ?? ""));
  if (first === undefined) return [];
  // What puts it back comes behind it, and has changed nothing by then.
  const changes = line.changesBefore(first.command, true);
  const own = calls.map(({ call }) => call);
  for (const { by, hazardIn } of broughtBack(own, line.analysis, first.command)) {
    const folder = folderAt([], { ...search, command: by, line });
    const { unless, ...hazard } = hazardIn(folder);
    const isHarmless =
      unless !== undefined && (await search.repositories.at(folder).holds(unless, changes));
    if (isHarmless !== true && isOfConcern(hazard, search.options.forbid))
      return [{ ...asOffence(hazard, isHarmless), text: by.text }];
  }
  return [];
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
  const overwritten = overwrittenBy(search.command, folderAt([], search));
  const hazards = [...hazardsOf({ ...call, subcommand }), ...overwritten];
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
    if (isHarmless !== true && isOfConcern(each, forbid)) found.push(asOffence(each, isHarmless));
  }
  return found;
}

async function findInPush(
  call: GitCall,
  subcommand: string,
  search: CallSearch & { readonly repository: GitRepository },
): Promise<Found[]> {
  const rule = findGitRule(subcommand);
  if (rule === undefined) return [];
  const { options, line, repository, command } = search;
  const switches = [...search.switches, ...line.switchesBefore(command)];
  const heads = await headsAfter(switches, repository, keyOfPlace(call, command));
  const { targets, hazards } = await readPush(
    readByRule({ ...call, subcommand }, rule),
    repository,
    heads,
  );
  const found: Found[] = hazards.map((each) => asOffence(each, false));
  const target = findProtected(targets, options.protected_branches);
  if (target === UNREAD) found.push({ kind: "hidden", what: MAY_BE_PROTECTED });
  else if (target !== null)
    found.push({
      kind: "protected-branch",
      what: `\`${target}\` is protected; push another branch`,
    });
  if (line.changesSettings)
    found.push({ kind: "hidden", what: "the line changes the settings of the push" });
  return found;
}

const MAY_BE_PROTECTED = "the branch that it pushes to may be a protected one; write its name";

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

/** What may be one of two things is of no concern where neither is forbidden. */
const isOfConcern = ({ kind, mayBe }: GitHazard, forbid: GitOptions["forbid"]): boolean => {
  const kinds = kind === null ? mayBe : [kind];
  return kinds === undefined || kinds.some((each) => forbid.includes(each));
};

const asksForPath = (condition: GitCondition): boolean =>
  condition.kind === "any" && condition.of.some(({ kind }) => kind === "no-path");

/** The folder in which git looks for its repository, null where that is not known. */
const placeOf = (call: GitCall, search: CallSearch): string | null =>
  call.isElsewhere ? null : folderAt(call.folders, search);

function folderAt(below: readonly string[], search: CallSearch): string | null {
  const { command, subject, at } = search;
  const places = new Set<string | null>();
  for (const folder of at === null ? command.folders : [at]) {
    const place = folder?.replace(/^~(?=\/|$)/, subject.home);
    // All at once: to put one behind the other took twenty seconds for a line full of `-C`.
    places.add(place === undefined ? null : resolve(subject.envelope.cwd, place, ...below));
  }
  // After a `cd` to where it is already, whether or not that worked, it is in the same folder.
  const [place = null, another] = places;
  return another === undefined ? place : null;
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
  const switches = [...search.switches, ...line.switchesBefore(search.command)];
  return [
    ...(await findInLine(expanded, { ...search, aliases: aliases + 1, at: cwd, switches })),
    ...findUnreadable({ ...expanded, line: `git ${expanded.line}` }),
  ];
}
