// What the commands of a line may change of a repository before one of them runs: files, references, the branch.
import { AGENT_PROGRAMS } from "../../../agents/roster.ts";
import { findGitRule, readByRule } from "../../../core/shell/git/hazards.ts";
import { type GitCall, readGitCall } from "../../../core/shell/git-call.ts";
import { classifyCommand } from "../../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";

/** Which other commands of the line may have changed what was looked up by the time git runs. */
export interface OtherChanges {
  /** Files and index. */
  readonly files: boolean;
  /** References but for the head. */
  readonly refs: boolean;
  /** Also commits that are made, and the branch that is checked out. */
  readonly head: boolean;
  /** Commits are made. */
  readonly commits: boolean;
  /** Commits are made where the line itself has checked out no branch. */
  readonly strays: boolean;
  /** A branch or tag is made. */
  readonly names: boolean;
  /** A folder gets another place: where nothing is now a worktree may lie. */
  readonly moves: boolean;
  /** The branches that are deleted, where that is all that is done to references; null for anything. */
  readonly deleted: readonly string[] | null;
}

/** A command that may change something, by its place in the line. */
export interface LineChange {
  readonly text: string;
  readonly at: number;
  readonly files: true;
  readonly refs: boolean;
  readonly head: boolean;
  readonly commits: boolean;
  readonly names: boolean;
  readonly moves: boolean;
  readonly detaches: boolean;
  /** The branches that it deletes, where it does nothing else to references. */
  readonly deleted: readonly string[] | null;
}

/** Of all that may run before a command, which stands at that place of the line. */
export function sumChanges(others: readonly LineChange[], own: number): OtherChanges {
  const moving = others.filter(({ refs }) => refs);
  const deleted = moving.map((each) => each.deleted);
  return {
    files: others.length > 0,
    refs: moving.length > 0,
    head: others.some(({ head }) => head),
    commits: others.some(({ commits }) => commits),
    names: others.some(({ names }) => names),
    moves: others.some(({ moves }) => moves),
    strays: commitsOnNoBranch(others.filter(({ at }) => at < own)),
    deleted: deleted.includes(null) ? null : deleted.flatMap((names) => names ?? []),
  };
}

const COMMITS = /^(?:commit|merge|cherry-pick|revert|am)$/;
/** `git branch keep`, `git switch -c keep`. */
const NAMES = /^git (?:(?:branch|tag) (?!-)|(?:checkout|switch) -[bBcC] )/;

/** A worktree that lies elsewhere now, and may have changes that nobody could look for before. */
const MOVES = /^(?:mv|git (?:.* )?worktree move) /;
const DETACHES = /^git (?:checkout|switch) (?:\S+ )*(?:-d|--detach|[^\s-][^\s~^@]*[~^@]\S*)(?: |$)/;

function commitsOnNoBranch(changes: readonly LineChange[]): boolean {
  const start = changes.findIndex(({ detaches }) => detaches);
  return start !== -1 && changes.slice(start).some(({ commits }) => commits);
}

/** They work on files, or run what stands in the list by itself; a project's own tests and formatters move no branch. */
const FILE_PROGRAMS: ReadonlySet<string> = new Set(
  `sed cp mv rm mkdir rmdir touch chmod ln echo printf tee cat sort patch jq yq prettier eslint biome stylelint dprint oxlint
   black ruff isort autopep8 yapf gofmt goimports rustfmt clang-format shfmt rubocop tsc jest vitest pytest mypy pyright
   flake8 pylint timeout time nice nohup env npx bunx xargs sudo export`.split(/\s+/),
);
const FILE_VERBS: Readonly<Record<string, RegExp>> = {
  cargo: /^(fmt|clippy|test|nextest|build|check|fix)$/,
  go: /^(fmt|vet|test|build|mod|generate)$/,
  make: /^(test|lint|fmt|format|check|build)$/,
  ...Object.fromEntries(
    ["npm", "pnpm", "yarn", "bun"].map((name) => [
      name,
      /^((run )?(test|lint|fix|format|build|check|type-?check|prettier)(:[\w-]+)*|ci|i|install|exec|x)$/,
    ]),
  ),
};

/** What only reads but for its redirections, or is told by its name to work on files alone. */
function keepsReferences(command: SimpleCommand): boolean {
  const [first = "", ...words] = command.words.map(({ text }) => text);
  if (FILE_PROGRAMS.has(first)) return true;
  const verb = words[0] === "run" ? words.slice(0, 2).join(" ") : (words[0] ?? "");
  if (FILE_VERBS[first]?.test(verb) === true) return true;
  return classifyCommand({ ...command, redirections: [] }, AGENT_PROGRAMS) === "read_only";
}

export function changesIn({ commands }: LineAnalysis): LineChange[] {
  return commands.flatMap((command, at): LineChange[] => {
    const { text, form } = command;
    if (form === "base-name" || classifyCommand(command, AGENT_PROGRAMS) === "read_only") return [];
    const call = readGitCall(command);
    const git = call?.subcommand ?? "";
    if (git === "fetch") return [];
    const keeps = keepsReferences(command);
    return [
      {
        ...{ text, at, files: true },
        head: !keeps && git !== "add",
        commits: COMMITS.test(git),
        names: NAMES.test(text),
        moves: MOVES.test(text),
        detaches: DETACHES.test(text),
        refs: !keeps && !/^(add|commit|checkout|switch)$/.test(git),
        deleted: git === "branch" && call !== null ? deletedBranches(call) : null,
      },
    ];
  });
}

/** `git branch -d a b`: null where it may do more to references. */
function deletedBranches({ args, takesMoreWords, isElsewhere }: GitCall): readonly string[] | null {
  const rule = findGitRule("branch");
  const isPlain = args.every(({ text, kind }) => kind === "literal" && !/[*?[\\]/.test(text));
  if (rule === undefined || takesMoreWords || isElsewhere || !isPlain) return null;
  const reading = readByRule({ subcommand: "branch", args, takesMoreWords }, rule);
  return reading.has("delete") && !reading.has("remotes") ? reading.operands : null;
}
