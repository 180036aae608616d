// A work tree that is named to git, by an option, a variable or a setting: what a call writes, it writes there.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";
import type { FileUse } from "./file-effect.ts";
import type { OptionReading } from "./read-options.ts";

type Words = readonly ShellWord[];

/** Subcommands that overwrite, remove or put aside files of the tree. */
const WRITES =
  /^(checkout|switch|restore|reset|stash|clean|read-tree|checkout-index|merge|pull|rebase|cherry-pick|revert|rm|mv|apply|am|bisect|sparse-checkout|submodule)$/;

const writtenTree = (word: ShellWord): FileUse => ({ access: "write", word, isRecursive: true });

/** `git --work-tree=~ checkout -f`. */
export function treeUses(options: Words, verb: string): FileUse[] {
  if (!WRITES.test(verb)) return [];
  return options.flatMap((word, index): FileUse[] => {
    const given = /^--work-tree(?:=(.*))?$/s.exec(word.text);
    if (given === null) return [];
    const value = given[1] === undefined ? options[index + 1] : { ...word, text: given[1] };
    return value === undefined ? [] : [writtenTree(value)];
  });
}

/** `GIT_WORK_TREE=~ git checkout -f`; one that is set for all that comes behind may be for any subcommand. */
export function treeOfVariable(value: ShellWord, words: SimpleCommand["words"]): FileUse[] {
  const isForAll = /^(|export|declare|typeset)$/.test(words[0]?.text ?? "");
  return isForAll || words.some(({ text }) => WRITES.test(text)) ? [writtenTree(value)] : [];
}

/** The files of `-f`, and the tree of `git config core.worktree ~`. */
export function configUses({ values, operands }: OptionReading): FileUse[] {
  const files = values.flatMap(({ option, word }): FileUse[] =>
    /^(-f|--file)$/.test(option)
      ? (["read", "write"] as const).map((access) => ({ access, word }))
      : [],
  );
  const at = operands.findIndex(({ text }) => /^core\.worktree$/i.test(text));
  const tree = at === -1 ? undefined : operands[at + 1];
  return [...files, ...(tree === undefined ? [] : [writtenTree(tree)])];
}
