// What a simple command may do to a file: `cp a b` reads `a` and writes `b`.
import type { ShellWord } from "../simple-command.ts";
import { readOptions } from "./read-options.ts";

/** `list`: names and attributes, not what is inside. `delete` goes with all that is below. */
export type FileAccess = "list" | "read" | "write" | "delete" | "execute";

export interface FileEffect {
  readonly access: FileAccess;
  /** The path as it is written, without the option it may be attached to. */
  readonly word: ShellWord;
  /** What is below a folder as well: `grep -r`, `cp -r`, `tar`. */
  readonly isRecursive: boolean;
  /** Nobody knows whether the word is a path or what becomes of it: an unknown program, words that `xargs` adds. */
  readonly isPossible: boolean;
  /** An archive says which files of the folder they are. */
  readonly isUnpacked: boolean;
  /** Of what is below a folder only files with one of these names (globs); null: all. */
  readonly names: readonly string[] | null;
  /** Which of what is below is known only when it runs. */
  readonly isPart: boolean;
  /** What is passed over below a folder: `rg` leaves out hidden and ignored files, `git grep` what is not tracked, `git add` what is
   * ignored, `git stash -u` leaves what is ignored, and of what is tracked what is committed; `git diff` shows what is changed. */
  readonly skips:
    | ("hidden" | "hidden-and-ignored")
    | ("untracked" | "ignored" | "tracked" | "unchanged")
    | null;
  /** Git writes what it has of the file as it is: of the index, or of the head. */
  readonly isPutBack?: boolean;
  /** Where the command may run, as in `SimpleCommand`. */
  readonly folders: readonly (string | null)[];
}

/** An effect as a program's table says it; what is left out is no, none or the command's own. */
export type FileUse = Pick<FileEffect, "access" | "word"> & Partial<FileEffect>;

/** Of a program that nobody knows: every word may be a file, to be read or written with all that is in it. */
export function possibleUses(words: readonly ShellWord[]): FileUse[] {
  const { operands, values } = readOptions(words, {});
  const given = [...operands, ...values.map(({ word }) => word)].filter(mayBePath);
  const whole = given.flatMap((word) => [word, ...readResponseFile(word)]);
  const named = new Set(whole.map(({ text }) => text));
  const parts = words
    .filter(({ kind }) => kind === "literal")
    .flatMap(partsOf)
    .filter(({ text }) => !named.has(text));
  const files = [...whole, ...parts];
  return files.flatMap((word): FileUse[] => [
    { access: "read", word, isRecursive: true, isPossible: true },
    { access: "write", word, isRecursive: true, isPossible: true },
  ]);
}

/** `gcc @file`: compilers and linkers take their arguments from it, and tell what they do not know of it. */
const readResponseFile = ({ text, kind }: ShellWord): ShellWord[] =>
  /^@[^@]/.test(text) ? [{ text: text.slice(1), kind }] : [];

/** `-v ./a:/b`, `-var-file=a`, `file://a`, `label:@a`, `field@a`: programs put more than a path into a word. */
function partsOf({ text, kind }: ShellWord): ShellWord[] {
  if (text.length > MAX_PATH_LENGTH || !/[=:]|.@/.test(text)) return [];
  return text
    .split(/(?:[=:,]@?|(?<=\w)@)(?:\/\/(?!\/))?/, MAX_PARTS)
    .filter((part) => part !== "" && part !== text && !/^-|\s/.test(part))
    .map((part) => ({ text: part, kind }));
}

const MAX_PARTS = 8;
const MAX_PATH_LENGTH = 4_096;

const mayBePath = ({ text }: ShellWord): boolean =>
  text !== "" && text.length <= MAX_PATH_LENGTH && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
