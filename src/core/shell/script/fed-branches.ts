// `git branch --merged | grep -v main | xargs git branch -d`: the words that are added there are names of branches. No name
// that git gives a branch begins like an option; what lists more than names, or makes other words of them, is not known.
import { operandsOf, type SimpleCommand } from "../simple-command.ts";

/** These choose which branches are listed, and in which order; `-v` would print what commits say as well. */
const CHOOSES =
  /^--(list|no-color|(no-)?merged|(no-)?contains|points-at|sort|format=%\(refname:short\))$/;
const CHOOSES_BY = /^--((no-)?merged|(no-)?contains|points-at|sort)=/;
/** They take away what stands before a name in the list. */
const STRIPS =
  /^(cut -c ?3-|tr -d [ *+]+|sed s\/\^(\.\.|\[[ *+]+\]\*)\/\/|awk \{ ?print \$(1|NF) ?\})$/;

/** Whether nothing but names of branches comes out of a command; `isFed` says that nothing else goes in. */
export function printsBranches(command: SimpleCommand, isFed: boolean): boolean {
  const { words, redirections, assignments, text } = command;
  const [first, ...rest] = words;
  const args = rest.map((word) => word.text);
  if (assignments.length > 0 || redirections.some((each) => each.kind === "text" || !each.writes))
    return false;
  switch (first?.text) {
    case "git":
      return listsBranches(args) && rest.every(({ kind }) => kind !== "open");
    case "grep":
    case "egrep":
      return isFed && operandsOf(args).length === 1 && optionsMatch(args, /^-[vEFiwx]+$/);
    case "sort":
    case "uniq":
      return isFed && args.length === 0;
    case "head":
    case "tail":
      return isFed && optionsMatch(args, /^-n?\d*$/) && operandsOf(args).every(isNumber);
    default:
      return isFed && STRIPS.test(text);
  }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const optionsMatch = (args: readonly string[], known: RegExp): boolean =>
  args.every((arg) => !arg.startsWith("-") || known.test(arg));

const listsBranches = ([verb, ...args]: readonly string[]): boolean =>
  verb === "branch" &&
  args.every((arg) => !arg.startsWith("-") || CHOOSES.test(arg) || CHOOSES_BY.test(arg));

/** `xargs` whose words all come by the pipe, and none from a file. */
export const takesAllFromPipe = ({ words, redirections }: SimpleCommand): boolean =>
  words[0]?.text === "xargs" &&
  redirections.every((each) => each.kind === "file" && each.writes) &&
  !words.some(({ text }) => /^(-\w*a|--arg)/.test(text));
