// Refuses git commands that lose work, knowing git's own options. Every git call of a line counts, git's own aliases
// followed; what depends on the repository is looked up.
import { resolve } from "node:path";
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { effectsOf } from "../../core/shell/effects/effects-of.ts";
import {
  anyOf,
  type GitCondition,
  type GitHazard,
  hazard,
  isClean,
} from "../../core/shell/git/hazard.ts";
import { findGitRule, hazardsOf, readByRule } from "../../core/shell/git/hazards.ts";
import { GIT_SUBCOMMANDS } from "../../core/shell/git/subcommands.ts";
import { expandGitAlias, type GitCall, readGitCall } from "../../core/shell/git-call.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import { codeOf, pathsInCode } from "./files/code-text.ts";
import { changesSettings, findWrittenSetting } from "./git-config.ts";
import { GitRepository, type OtherChanges } from "./git-lookup.ts";
import { findInFetch, findProtected, readPush } from "./git-push.ts";
import type { BuiltinOptions } from "./options.ts";
import type { GitQueryOptions } from "./query-git.ts";

type GitOptions = BuiltinOptions<"git">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission", "before_command"];

export const gitGuard: Builtin<GitOptions> = {
  name: "git",
  description: "refuses git commands that lose work: force pushes, hard resets, cleaning, …",
  steps: STEPS,
  async decide(options, subject, { rule, env, signal }) {
    const found = await findInStep(subject, { options, env, signal });
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
  readonly query: Omit<GitQueryOptions, "cwd">;
  readonly subject: StepSubject;
  readonly aliases: number;
  /** Where an alias is expanded, the place of the call that used it. */
  readonly at: string | null;
}

const MAX_ALIASES = 4;

async function findInStep(
  subject: StepSubject,
  { options, ...query }: { options: GitOptions } & Search["query"],
): Promise<Offence[]> {
  const line = analyzeStepLine(subject);
  if (line === null) return [];
  const search = { options, query, subject, aliases: 0, at: null };
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

async function findInLine(line: LineAnalysis, search: Search): Promise<Offence[]> {
  const found: Offence[] = [];
  const exported = exportedIn(line);
  for (const command of line.commands) {
    const assignments = [...exported, ...command.assignments];
    const call = readGitCall({ ...command, assignments });
    if (call === null) continue;
    const offences = await findInCall(call, { ...search, command, line });
    found.push(...offences.map((offence) => ({ text: command.text, ...offence })));
  }
  return [...found, ...line.commands.flatMap((command) => findByHand(command, line))];
}

/** What git keeps of its own; a lock that was left behind, and the list of what is ignored, are nobody's work. */
const OWN_FILES =
  /(?:^|\/)\.git(?:\/(?:(?:refs|logs|objects|hooks|worktrees|modules)(?:\/.*)?|HEAD|ORIG_HEAD|index|config|packed-refs)?)?$|(?:^|\/)(?:\.gitconfig|git\/config|gitconfig)$/;
/** Git's own name, or that of a subcommand: what runs in its place where the line also says where programs are. */
const OWN_PROGRAMS = /(?:^|\/)git(?:-[a-z][\w-]*)?$/;

/** Of code that only reads such a file there is nothing to say. */
const WRITES =
  /["'][wax]\+?b?["']|write|rm|unlink|remove|delete|truncate|rename|replace|copy|move|open\s*\(?\s*\w+\s*,\s*["']>/i;

/** `echo … > .git/refs/heads/main`: what git would be refused, done without it. */
function findByHand(command: SimpleCommand, line: LineAnalysis): Offence[] {
  const setsPath = line.commands.some(({ assignments }) =>
    assignments.some(({ name }) => name === "PATH"),
  );
  const isOwn = (path: string): boolean =>
    OWN_FILES.test(path) || (setsPath && OWN_PROGRAMS.test(path));
  // Of git itself only what the shell does around it.
  const isGit = command.words[0]?.text === "git";
  const touched = effectsOf(isGit ? { ...command, words: [] } : command).find(
    ({ access, word, isPossible, folders }) =>
      (access === "write" || access === "delete") &&
      !isPossible &&
      folders.some((folder) => isOwn(`${folder ?? "."}/${word.text}`)),
  );
  const what = "it changes git's own files by hand; use git for it";
  const code = touched === undefined ? codeOf(command) : null;
  if (code !== null && WRITES.test(code) && pathsInCode(code).some((path) => OWN_FILES.test(path)))
    return [{ kind: "hidden", what, text: command.text }];
  return touched === undefined ? [] : [{ kind: "hidden", what, text: command.text }];
}

/** Variables that the line sets for whatever comes after. */
const exportedIn = ({ commands }: LineAnalysis): SimpleCommand["assignments"] =>
  commands
    .filter(({ words }) => /^(|export|declare|typeset|readonly)$/.test(words[0]?.text ?? ""))
    .flatMap(({ assignments }) => assignments)
    .concat(commands.flatMap(filledBy));

/** `read EDITOR`, `printf -v EDITOR`: nobody has read what is put there. */
const filledBy = ({ words }: SimpleCommand): SimpleCommand["assignments"] =>
  /^(read|printf|mapfile|readarray|getopts)$/.test(words[0]?.text ?? "")
    ? words
        .filter(({ text }) => /^[A-Z][A-Z_]*$/.test(text))
        .map(({ text }) => ({ name: text, value: { text: "", kind: "open" } }))
    : [];

type Found = Pick<Offence, "kind" | "what"> & Partial<Offence>;
interface CallSearch extends Search {
  readonly command: SimpleCommand;
  readonly line: LineAnalysis;
}

async function findInCall(call: GitCall, search: CallSearch): Promise<Found[]> {
  const { subcommand, hiding } = call;
  if (subcommand === null) return [{ kind: "hidden", what: "it hides what git does" }];
  const hidden: Found[] =
    hiding === null ? [] : [{ kind: "hidden", what: `\`${hiding}\` hides what git does` }];
  const cwd = placeOf(call, search);
  const repository = new GitRepository(cwd === null ? null : { ...search.query, cwd });
  if (subcommand !== "" && !GIT_SUBCOMMANDS.has(subcommand))
    return [...hidden, ...(await findInAlias(call, subcommand, { ...search, repository, cwd }))];
  const hazards = [...hazardsOf({ ...call, subcommand }), ...overwrittenBy(search.command)];
  const { forbid } = search.options;
  const sure = hazards.find(
    ({ kind, unless }) => unless === undefined && forbid.some((each) => each === kind),
  );
  // Nothing need be looked up where it is clear already.
  if (sure !== undefined) return [asOffence(sure, false)];
  const changes = changesOf(search);
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
  if (changesSettings(line))
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

/** What the other commands of the line may change before this one runs; where they stand does not matter, since a
 * function or a loop may run them in any order. */
function changesOf({ command, line }: CallSearch): OtherChanges {
  const changes = { files: false, refs: false, head: false };
  for (const other of line.commands) {
    if (other.text === command.text || other.form === "base-name") continue;
    if (classifyCommand(other, AGENT_PROGRAMS) === "read_only") continue;
    const git = readGitCall(other)?.subcommand ?? "";
    if (git === "fetch") continue;
    changes.files = true;
    if (git !== "add") changes.head = true;
    if (!/^(add|commit|checkout|switch)$/.test(git)) changes.refs = true;
  }
  return changes;
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
  if (alias === undefined || changesSettings(line)) return [{ kind: "hidden", what }];
  if (aliases >= MAX_ALIASES) return [{ kind: "hidden", what: "its aliases lead in a circle" }];
  const expanded = analyzeLine(expandGitAlias(alias, call.args));
  return [
    ...(await findInLine(expanded, { ...search, aliases: aliases + 1, at: cwd })),
    ...findUnreadable({ ...expanded, line: `git ${expanded.line}` }),
  ];
}
