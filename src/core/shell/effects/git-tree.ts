// What git has of a folder, and a work tree or a file that is named to git by an option, a variable or a setting.
import { HERE, type ShellWord, type SimpleCommand } from "../simple-command.ts";
import type { FileUse } from "./file-effect.ts";
import type { OptionReading } from "./read-options.ts";

type Words = readonly ShellWord[];

/** What git has of a folder, and no more of it. */
export const SHOWN = { access: "read", isRecursive: true, skips: "untracked" } as const;
export const CHANGED = { ...SHOWN, skips: "unchanged" } as const;
export const ALL_SHOWN: readonly FileUse[] = [{ ...SHOWN, word: HERE }];
export const ALL_WRITTEN: readonly FileUse[] = [{ ...SHOWN, access: "write", word: HERE }];

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

/** The files of `-f`, the tree of `git config core.worktree ~`, and files that a setting names. */
export function configUses({ values, operands }: OptionReading): FileUse[] {
  const files = values.flatMap(({ option, word }): FileUse[] =>
    /^(-f|--file)$/.test(option)
      ? (["read", "write"] as const).map((access) => ({ access, word }))
      : [],
  );
  const settings = operands.flatMap(({ text: name }, at): FileUse[] => {
    const value = operands[at + 1];
    if (value === undefined) return [];
    if (/^core\.worktree$/i.test(name)) return [writtenTree(value)];
    // What is included counts from the folder of the file that says so.
    const fromGit = /^[/~$]/.test(value.text) ? [] : [{ ...value, text: `.git/${value.text}` }];
    return READ_SETTING.test(name)
      ? [value, ...fromGit].map((word) => ({ access: "read", word }))
      : [];
  });
  return [...files, ...settings];
}

/** Settings whose value is a file that git reads and shows, or takes more settings from. */
const READ_SETTING = /^(?:include\.path|includeif\..+\.path|commit\.template|mailmap\.file)$/i;

/** `git -c include.path=FILE config -l`; any other setting may name a file as well. */
export const settingUses = (options: Words): FileUse[] =>
  options.flatMap(({ text, kind }): FileUse[] => {
    const end = text.indexOf("=");
    const isPossible = !READ_SETTING.test(text.slice(0, end));
    return end === -1
      ? []
      : [{ access: "read", word: { text: text.slice(end + 1), kind }, isPossible }];
  });

/** All that is in it is copied. */
export const templates = ({ values }: OptionReading): FileUse[] =>
  values.flatMap(({ option, word }): FileUse[] =>
    option === "--template" ? [{ access: "read", word, isRecursive: true }] : [],
  );

/** A second folder with all that is tracked. */
export function addedTree({ words: [verb, folder, to] }: { readonly words: Words }): FileUse[] {
  if (verb?.text === "move" && to !== undefined)
    return [{ access: "write", word: to, isRecursive: true }];
  if (verb?.text !== "add" || folder === undefined) return [];
  return [{ access: "write", word: folder, isRecursive: true }, ...ALL_SHOWN];
}

/** A file with all that was ever committed. */
export function bundled({ words: [verb, file] }: { readonly words: Words }): FileUse[] {
  const isMade = verb?.text === "create" && file !== undefined;
  return isMade ? [{ access: "write", word: file }, ...ALL_SHOWN] : [...ALL_SHOWN];
}

interface TreeWords {
  readonly words: Words;
  readonly paths: Words | null;
  has(pattern: RegExp): boolean;
}

/** What is changed is thrown away, as by `git reset --hard`. */
export const forced = ({ has }: Pick<TreeWords, "has">): readonly FileUse[] =>
  has(/^(-f|--force|--discard-changes)$/) ? ALL_WRITTEN : [];

export const ofWholeIndex = ({ has }: Pick<TreeWords, "has">): readonly FileUse[] =>
  has(/^(-a|--all)$/) ? ALL_WRITTEN : [];

export function cleaned({ words, paths, has }: TreeWords): FileUse[] {
  if (has(/^(-n|--dry-run)$/)) return [];
  const named = [...words, ...(paths ?? [])];
  const skips = has(/^-[xX]$/) ? null : ("ignored" as const);
  const all = named.length === 0 ? [HERE] : named;
  return all.map((word) => ({ access: "delete", word, isRecursive: true, skips }));
}
