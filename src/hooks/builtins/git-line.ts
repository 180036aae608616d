// What a line with calls of git says about each of them: variables that it sets, what its other commands may change
// before one runs. A line may hold thousands of calls, so each is found out once for all of them.
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { findHidingVariable, MOVING_VARIABLE } from "../../core/shell/git/programs.ts";
import { type GitCall, readGitCall } from "../../core/shell/git-call.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import { changesSettings } from "./git-config.ts";
import type { OtherChanges } from "./git-lookup.ts";

type Assignments = SimpleCommand["assignments"];
type Changing = Readonly<Record<keyof OtherChanges, Set<string>>>;

export class GitLine {
  readonly analysis: LineAnalysis;
  readonly #exported: Assignments;
  #changing: Changing | null = null;
  #changesSettings: boolean | null = null;

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

  /** What the other commands may change before this one runs; where they stand does not matter, since a function or a
   * loop may run them in any order. */
  changesBefore({ text }: SimpleCommand): OtherChanges {
    this.#changing ??= changingIn(this.analysis);
    const { files, refs, head } = this.#changing;
    const isByOther = (texts: Set<string>): boolean => texts.size > (texts.has(text) ? 1 : 0);
    return { files: isByOther(files), refs: isByOther(refs), head: isByOther(head) };
  }
}

/** The commands that change each, by their text. */
function changingIn({ commands }: LineAnalysis): Changing {
  const changing: Changing = { files: new Set(), refs: new Set(), head: new Set() };
  for (const command of commands) {
    const { text, form } = command;
    if (form === "base-name" || classifyCommand(command, AGENT_PROGRAMS) === "read_only") continue;
    const git = readGitCall(command)?.subcommand ?? "";
    if (git === "fetch") continue;
    changing.files.add(text);
    if (git !== "add") changing.head.add(text);
    if (!/^(add|commit|checkout|switch)$/.test(git)) changing.refs.add(text);
  }
  return changing;
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
