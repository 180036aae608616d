// What a line with calls of git says about each of them: variables that it sets, what its other commands may change
// before one runs. A line may hold thousands of calls, so each is found out once for all of them.
import { findHidingVariable, MOVING_VARIABLE } from "../../../core/shell/git/programs.ts";
import { type GitCall, readGitCall } from "../../../core/shell/git-call.ts";
import { mayRedefine } from "../../../core/shell/known-output.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { asksForBranch, isChain, isInOrder, readSwitch, type Switch } from "./checked-out.ts";
import { changesSettings } from "./config.ts";
import { changesIn, type LineChange, type OtherChanges, sumChanges } from "./other-changes.ts";

type Assignments = SimpleCommand["assignments"];
export class GitLine {
  readonly analysis: LineAnalysis;
  readonly #exported: Assignments;
  #changes: readonly LineChange[] | null = null;
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
    return sumChanges(others, own);
  }
}

/** They give values to variables without a word of it, or run lines that nobody has read. */
const FILLS = /^(read|printf|mapfile|readarray|getopts|eval|source|\.|unset)$/;

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
