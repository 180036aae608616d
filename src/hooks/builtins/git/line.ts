// What a line with calls of git says about each of them: variables that it sets, what its other commands may change
// before one runs. A line may hold thousands of calls, so each is found out once for all of them.
import { AGENT_PROGRAMS } from "../../../agents/roster.ts";
import { findGitRule, readByRule } from "../../../core/shell/git/hazards.ts";
import { findHidingVariable, MOVING_VARIABLE } from "../../../core/shell/git/programs.ts";
import { type GitCall, readGitCall } from "../../../core/shell/git-call.ts";
import { mayRedefine } from "../../../core/shell/known-output.ts";
import { classifyCommand } from "../../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { asksForBranch, isChain, isInOrder, readSwitch, type Switch } from "./checked-out.ts";
import { changesSettings } from "./config.ts";
import type { OtherChanges } from "./lookup.ts";

type Assignments = SimpleCommand["assignments"];
/** A command that may change something, by its place in the line. */
interface Change {
  readonly text: string;
  readonly at: number;
  readonly files: true;
  readonly refs: boolean;
  readonly head: boolean;
  readonly commits: boolean;
  readonly names: boolean;
  readonly detaches: boolean;
  /** The branches that it deletes, where it does nothing else to references. */
  readonly deleted: readonly string[] | null;
}

export class GitLine {
  readonly analysis: LineAnalysis;
  readonly #exported: Assignments;
  #changes: readonly Change[] | null = null;
  #changesSettings: boolean | null = null;
  #switches: readonly (Switch & { readonly at: number })[] | null = null;

  constructor(analysis: LineAnalysis) {
    this.analysis = analysis;
    this.#exported = exportedIn(analysis);
  }

  /** The command as a call of git, with what the line sets for it; null where it is none. */
  readCall(command: SimpleCommand): GitCall | null {
    if (command.words[0]?.text !== "git") return null;
    return readGitCall({ ...command, assignments: [...this.#exported, ...command.assignments] });
  }

  get changesSettings(): boolean {
    this.#changesSettings ??= changesSettings(this.analysis);
    return this.#changesSettings;
  }

  /** What checks out a branch before the command runs. */
  switchesBefore(command: SimpleCommand): readonly Switch[] {
    const all = this.#allSwitches;
    if (all.length === 0) return all;
    const end = this.analysis.commands.indexOf(command);
    return isInOrder(this.analysis.line)
      ? all.filter(({ at }) => at < end)
      : all.map((each) => ({ ...each, way: "perhaps" }));
  }

  get #allSwitches(): readonly (Switch & { readonly at: number })[] {
    if (this.#switches !== null) return this.#switches;
    const isChained = isChain(this.analysis.line);
    this.#switches = this.analysis.commands.flatMap((command, at) => {
      const call = this.readCall(command);
      const found = call === null ? null : readSwitch(call, command, isChained);
      return found === null ? [] : [{ ...found, at }];
    });
    return this.#switches;
  }

  /** `$(git branch --show-current)` and a variable that holds it are `HEAD`. */
  withHead(call: GitCall): GitCall {
    if (call.subcommand !== "push" || mayRedefine(this.analysis.line)) return call;
    const args = call.args.map((word): GitCall["args"][number] =>
      word.kind === "open" && (asksForBranch(word.text) || this.#holdsBranch(word.text))
        ? { text: "HEAD", kind: "literal" }
        : word,
    );
    return { ...call, args };
  }

  #holdsBranch(text: string): boolean {
    const name = /^\$(?:(\w+)|\{(\w+)\})$/.exec(text)?.slice(1).join("");
    const { commands, line } = this.analysis;
    const values = commands.flatMap(({ words, assignments }) =>
      words.length > 0 && FILLS.test(words[0]?.text ?? "")
        ? [null]
        : assignments.filter((each) => each.name === name).map(({ value }) => value.text),
    );
    // A name may have been given in a loop, and another branch may be checked out since.
    return (
      values.length > 0 &&
      values.every((value) => value !== null && asksForBranch(value)) &&
      this.#allSwitches.length === 0 &&
      isInOrder(line)
    );
  }

  /** What the other commands may change before this one runs; but in a chain where they stand does not matter, since a
   * function or a loop may run them in any order. */
  changesBefore(command: SimpleCommand, asWritten = false): OtherChanges {
    this.#changes ??= changesIn(this.analysis);
    const { line, commands } = this.analysis;
    const isLast = asWritten || (command.form === "typed" && isChain(line));
    const own = commands.indexOf(command);
    const end = isLast ? own : commands.length;
    const others = this.#changes.filter(({ text, at }) => at < end && text !== command.text);
    const moving = others.filter(({ refs }) => refs);
    const deleted = moving.map((each) => each.deleted);
    return {
      files: others.length > 0,
      refs: moving.length > 0,
      head: others.some(({ head }) => head),
      commits: others.some(({ commits }) => commits),
      names: others.some(({ names }) => names),
      strays: commitsOnNoBranch(others.filter(({ at }) => at < own)),
      deleted: deleted.includes(null) ? null : deleted.flatMap((names) => names ?? []),
    };
  }
}

const COMMITS = /^(?:commit|merge|cherry-pick|revert|am)$/;
/** `git branch keep`, `git switch -c keep`. */
const NAMES = /^git (?:(?:branch|tag) (?!-)|(?:checkout|switch) -[bBcC] )/;

const DETACHES = /^git (?:checkout|switch) (?:\S+ )*(?:-d|--detach|[^\s-][^\s~^@]*[~^@]\S*)(?: |$)/;

function commitsOnNoBranch(changes: readonly Change[]): boolean {
  const start = changes.findIndex(({ detaches }) => detaches);
  return start !== -1 && changes.slice(start).some(({ commits }) => commits);
}

/** They give values to variables without a word of it, or run lines that nobody has read. */
const FILLS = /^(read|printf|mapfile|readarray|getopts|eval|source|\.|unset)$/;

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

function changesIn({ commands }: LineAnalysis): Change[] {
  return commands.flatMap((command, at): Change[] => {
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

/** Variables that the line sets for whatever comes after, of each kind that means something to git the first. */
function exportedIn({ commands }: LineAnalysis): Assignments {
  const all = commands
    .filter(({ words }) => /^(|export|declare|typeset|readonly)$/.test(words[0]?.text ?? ""))
    .flatMap(({ assignments }) => assignments)
    .concat(commands.flatMap(filledBy));
  const hiding = all.find((each) => findHidingVariable([each]) !== null);
  const moving = all.find(({ name }) => MOVING_VARIABLE.test(name));
  return [hiding, moving].filter((each) => each !== undefined);
}

/** `read EDITOR`, `printf -v EDITOR`: nobody has read what is put there. */
const filledBy = ({ words }: SimpleCommand): Assignments =>
  /^(read|printf|mapfile|readarray|getopts)$/.test(words[0]?.text ?? "")
    ? words
        .filter(({ text }) => /^[A-Z][A-Z_]*$/.test(text))
        .map(({ text }) => ({ name: text, value: { text: "", kind: "open" } }))
    : [];
