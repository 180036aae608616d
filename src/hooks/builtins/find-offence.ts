// Every git call of a line, git's own aliases followed, against what a guard forbids.
import { resolve } from "node:path";
import { analyzeLine } from "../shell/analyze-line.ts";
import { type GitCall, hidesPrograms, readGitCall } from "../shell/git-call.ts";
import type { LineAnalysis } from "../shell/line-analysis.ts";
import { lineOf } from "../shell/subject-line.ts";
import type { StepSubject } from "../subject.ts";
import { askGit, type GitPlace } from "./ask-git.ts";
import type { GitOptions } from "./git-guard.ts";
import { type Offence, offencesOf } from "./git-offence.ts";
import { isGitSubcommand } from "./git-subcommands.ts";

export interface FoundOffence extends Offence {
  readonly text: string;
}

type Surroundings = Omit<GitPlace, "cwd">;

const MOST_ALIASES = 4;

export async function findOffence(
  options: GitOptions,
  subject: StepSubject,
  surroundings: Surroundings,
): Promise<FoundOffence | null> {
  const line = lineOf(subject);
  if (line === null) return null;
  const place = { ...surroundings, cwd: subject.envelope.cwd };
  const found = [
    ...findUnreadable(line),
    ...(await findInLine(line, { options, place, aliases: 0 })),
  ];
  const isForbidden = ({ kind }: Offence): boolean =>
    kind === "protected-branch" || options.forbid.some((each) => each === kind);
  return found.find(isForbidden) ?? null;
}

function findUnreadable({ line, problem, unresolved }: LineAnalysis): FoundOffence[] {
  if (!/git/i.test(line)) return [];
  const text = problem ?? unresolved[0];
  if (text === undefined) return [];
  const what = "the line cannot be read far enough to be sure; write the git command plainly";
  return [{ kind: "hidden", what, text }];
}

interface Search {
  readonly options: GitOptions;
  readonly place: GitPlace;
  readonly aliases: number;
}

async function findInLine(line: LineAnalysis, search: Search): Promise<FoundOffence[]> {
  const found: FoundOffence[] = [];
  for (const command of line.commands) {
    const call = readGitCall(command);
    if (call === null) continue;
    if (call.subcommand === null || hidesPrograms(call, command.text))
      found.push({ kind: "hidden", what: "it hides what git does", text: command.text });
    else
      found.push(...(await findInCall(call, call.subcommand, { ...search, text: command.text })));
  }
  return found;
}

async function findInCall(
  call: GitCall,
  subcommand: string,
  search: Search & { readonly text: string },
): Promise<FoundOffence[]> {
  const { options, text, aliases } = search;
  const cwd = call.folders.reduce((folder, next) => resolve(folder, next), search.place.cwd);
  const place = { ...search.place, cwd };
  const alias = isGitSubcommand(subcommand)
    ? null
    : await askGit(["config", "--get", `alias.${subcommand}`], place);
  if (alias !== null && alias !== "") {
    if (aliases >= MOST_ALIASES)
      return [{ kind: "hidden", what: "its aliases lead in a circle", text }];
    const line = analyzeLine(expandAlias(alias, call));
    return [
      ...findUnreadable(line),
      ...(await findInLine(line, { options, place, aliases: aliases + 1 })),
    ];
  }
  const wantsBranch = subcommand === "push" && options.protected_branches.length > 0;
  const branch = wantsBranch ? await askGit(["symbolic-ref", "--short", "HEAD"], place) : null;
  const args = call.args.map((word) => word.text);
  const offences = offencesOf({ call, subcommand, args, branch }, options.protected_branches);
  return offences.map((offence) => ({ ...offence, text }));
}

/** `!cmd` is a shell line, anything else the beginning of a git command. */
function expandAlias(alias: string, { args }: GitCall): string {
  const rest = args
    .map((word) => (word.kind === "literal" ? quote(word.text) : word.text))
    .join(" ");
  return alias.startsWith("!") ? `${alias.slice(1)} ${rest}` : `git ${alias} ${rest}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
