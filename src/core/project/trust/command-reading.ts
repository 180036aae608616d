// What was found out about one simple command: the files it executes, and what runs as it is. Pure.
import type { ShellWord } from "../../shell/simple-command.ts";

/** A file that a command executes, as a part of one of its words. */
export interface ExecutedWord {
  readonly word: ShellWord;
  /** What stands before the path: `--import=` of `--import=./x`. */
  readonly prefix: string;
  readonly path: string;
  /** `load` may be a package as well: `-r dotenv/config`. */
  readonly role: "program" | "script" | "load";
  /** The interpreter that is given it, whatever its name's end says. */
  readonly by?: string;
}

/** Stands for the interpreter of a file that a program takes its variables from. */
export const VARIABLES_FILE = "variables";

/** Something that runs as it is when it runs, whatever was approved. */
export interface UncoveredRun {
  /** Continues "not covered: ". */
  readonly what: string;
  /** Whether it can be a part of the project, and so be changed by whoever changes the project. */
  readonly isOfProject: boolean;
  /** Files that decide what it does, if they are there: from the folder of the command. */
  readonly files: readonly string[];
  /** It is nothing to speak of where none of the files is there. */
  readonly needsFiles?: boolean;
}

export interface CommandReading {
  readonly executed: readonly ExecutedWord[];
  readonly uncovered: readonly UncoveredRun[];
  /** Nothing that it is given says what it executes, so it reads that from its standard input. */
  readonly readsInput?: boolean;
}

export const NOTHING: CommandReading = { executed: [], uncovered: [] };

export const onlyAtRun = (text: string): CommandReading => ({
  executed: [],
  uncovered: [
    { what: `\`${text}\`, which is known only when it runs`, isOfProject: true, files: [] },
  ],
});

const MAX_TEXT = 80;

export const textOf = (words: readonly ShellWord[]): string => {
  const text = words.map((word) => word.text).join(" ");
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
};

export const STANDARD_INPUT = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

export const MAX_PATHS = 200;

/** What could be a path in a text: whether it is one is seen by looking. */
export const pathsIn = (text: string): string[] => manyPathsIn(text, MAX_PATHS);

export function manyPathsIn(text: string, limit: number): string[] {
  const words = text.split(/[\s"'`;|&<>(){}=$,:[\]!?*]+/);
  const names = words.filter((word) => /[\w]/.test(word) && !word.startsWith("-"));
  return [...new Set(names)].slice(0, limit);
}
