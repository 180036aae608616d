// Git runs other programs for some subcommands.
import { readGitCall } from "./git-call.ts";
import type { Inner } from "./inner-command.ts";
import type { ShellWord, SimpleCommand } from "./line-analysis.ts";

export function unwrapGit(command: SimpleCommand): Inner[] {
  const call = readGitCall(command);
  if (call === null) return [];
  const { subcommand, args, isOpen } = call;
  if (subcommand === null) return [{ kind: "unseen", what: command.text }];
  if (subcommand === "bisect" && args[0]?.text === "run") return [runOf(args.slice(1), isOpen)];
  if (subcommand === "rebase") return execLines(args);
  if (subcommand === "submodule") return foreachLine(args);
  return [];
}

const runOf = (words: readonly ShellWord[], takesMoreWords: boolean): Inner => ({
  kind: "words",
  words,
  assignments: [],
  takesMoreWords,
});

function execLines(args: readonly ShellWord[]): Inner[] {
  return args.flatMap((word, index): Inner[] => {
    const inline = /^(?:--exec=|-x(?=.))([\s\S]*)$/.exec(word.text)?.[1];
    if (inline !== undefined) return [{ kind: "text", text: { ...word, text: inline } }];
    const next = args[index + 1];
    if (!/^(-x|--exec)$/.test(word.text) || next === undefined) return [];
    return [{ kind: "text", text: next }];
  });
}

function foreachLine(args: readonly ShellWord[]): Inner[] {
  const at = args.findIndex(({ text }) => text === "foreach");
  if (at === -1) return [];
  const words = args.slice(at + 1).filter(({ text }) => !text.startsWith("--"));
  return words.length > 1
    ? [runOf(words, false)]
    : words.map((text): Inner => ({ kind: "text", text }));
}
