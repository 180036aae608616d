// A call of git as a rule means it: `git -C x stash -q drop` is `git stash drop`, and of options one spelling stands for all.
import { findGitRule, readByRule } from "../../core/shell/git/hazards.ts";
import { type GitCall, readGitCall } from "../../core/shell/git-call.ts";
import {
  joinShellWords,
  type ShellWord,
  type SimpleCommand,
} from "../../core/shell/simple-command.ts";

const word = (text: string): ShellWord => ({ text, kind: "literal" });

/** Without the options before the subcommand, and with its own behind its words. */
export function gitForms({ subcommand, args }: GitCall): ShellWord[][] {
  if (subcommand === null) return [];
  const call = [word("git"), word(subcommand)];
  const isOption = ({ text }: ShellWord): boolean => /^-./.test(text) && text !== "--";
  const moved = [...args.filter((each) => !isOption(each)), ...args.filter(isOption)];
  const isPush =
    subcommand === "send-pack" || (subcommand === "subtree" && args[0]?.text === "push");
  return [
    [...call, ...args],
    [...call, ...moved],
    ...(isPush
      ? [[word("git"), word("push"), ...moved.filter(({ text }) => text !== "push")]]
      : []),
  ];
}

const NAMING = /^git ([\w-]+) (--?[A-Za-z][\w-]*)/;

/** Of a glob such as `git commit --no-verify*`: the call with that option in front, where it has it in any spelling. */
export function gitInOrderOf(glob: string, command: SimpleCommand): string | null {
  const [, verb = "", option = ""] = NAMING.exec(glob) ?? [];
  const call = verb === "" ? null : readGitCall(command);
  const rule = findGitRule(verb);
  if (call === null || rule === undefined || call.subcommand !== verb) return null;
  const { takesMoreWords } = call;
  const namesIn = (args: readonly ShellWord[]): readonly string[] => {
    const { names, operands } = readByRule({ subcommand: verb, args, takesMoreWords }, rule);
    const isForced = verb === "push" && operands.some((each) => each.startsWith("+"));
    return [
      ...names.flatMap((name) => (verb === "branch" ? BOTH[name] : null) ?? name),
      ...(isForced ? ["force"] : []),
    ];
  };
  const given = new Set(namesIn(call.args));
  const wanted = namesIn([word(option)]);
  if (wanted.length === 0 || !wanted.every((name) => given.has(name))) return null;
  return joinShellWords([word("git"), word(verb), word(option), ...call.args]);
}

/** `git branch -D` is `git branch -d -f`. */
const BOTH: Readonly<Record<string, readonly string[]>> = {
  ...{ D: ["delete", "force"], M: ["move", "force"], C: ["copy", "force"] },
};
