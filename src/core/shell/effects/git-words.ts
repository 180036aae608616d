// The words of a call of git behind its subcommand: options with their values, revisions, paths.
import type { ShellWord } from "../simple-command.ts";
import { meantPaths, standingOptions } from "./git-paths.ts";
import { type OptionReading, readOptions } from "./read-options.ts";

/** Options with a value that is the next word. */
const VALUED_LONG = [
  ...["message", "file", "format", "author", "date", "since", "until", "after", "before", "grep"],
  ...["output", "output-directory", "branch", "source", "max-count", "directory", "exclude"],
  ...["include", "prefix", "add-file", "remote", "diff-filter", "pretty", "unified", "template"],
  "separate-git-dir",
];

/** Letters with a value, by subcommand: `-f` is a file for one and force for another. */
const VALUED: Readonly<Record<string, string>> = {
  ...{ show: "SGLUnOl", diff: "SGLUnOl", log: "SGLUnOl", whatchanged: "SGLUnOl", stash: "m" },
  ...{
    commit: "mFCct",
    tag: "mFu",
    notes: "mFCc",
    archive: "o",
    "format-patch": "onv",
    grep: "efABCmO",
  },
  ...{ checkout: "bBU", restore: "sU", config: "f", clone: "bocuj", worktree: "bB", init: "b" },
  ...{ clean: "e", blame: "LS", annotate: "LS" },
};

export interface GitWords extends OptionReading {
  /** Words before `--`: revisions, or paths. */
  readonly words: readonly ShellWord[];
  /** Behind `--`; null without one. */
  readonly paths: readonly ShellWord[] | null;
  has(pattern: RegExp): boolean;
}

export function readGitWords(verb: string, words: readonly ShellWord[]): GitWords {
  const cut = words.findIndex(({ text }) => text === "--");
  const reading = readOptions(cut === -1 ? words : words.slice(0, cut), {
    valued: VALUED[verb] ?? "",
    valuedLong: VALUED_LONG,
  });
  const standing = standingOptions(reading.options);
  return {
    ...reading,
    words: reading.operands,
    paths: cut === -1 ? null : meantPaths(words.slice(cut + 1)),
    has: (pattern) => standing.some((option) => pattern.test(option)),
  };
}
