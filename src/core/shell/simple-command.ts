// A shell line taken apart: every simple command in it, wherever it stands.

export interface ShellWord {
  /** Unquoted; an expansion stays as it was written. */
  readonly text: string;
  /** `glob`: names of files take its place. `open`: known only when the line runs. */
  readonly kind: "literal" | "glob" | "open";
  /** Of an open one: what it is, is known, so that a variable keeps it. */
  readonly isKept?: true;
  /** The files that it stands for, which is then written `{}`. */
  readonly found?: FoundFiles;
}

/** A commit or a date: a name that nobody knows yet, and no option and no hidden file. */
export const NAME_GLOB = "[!.-]*";

/** The folder that a command runs in. */
export const HERE: ShellWord = { text: ".", kind: "literal" };

export interface LineAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

export type LineRedirection =
  | { readonly kind: "file"; readonly writes: boolean; readonly target: ShellWord }
  /** A here-document or a here-string. */
  | { readonly kind: "text"; readonly body: ShellWord };

export interface SimpleCommand {
  /** Empty where there are only assignments or redirections. */
  readonly words: readonly ShellWord[];
  /** The words joined by one space: what a `command` glob is tried on. Values that the line itself gives are put in. */
  readonly text: string;
  /** The same before any value was put in. */
  readonly typed: string;
  /** `unwrapped`: what a wrapper such as `sudo` or `sh -c` runs. `base-name`: `/usr/bin/git` as `git`. */
  readonly form: "typed" | "unwrapped" | "base-name";
  readonly assignments: readonly LineAssignment[];
  readonly redirections: readonly LineRedirection[];
  /** `xargs` and its like add words that are not in the line. */
  readonly takesMoreWords: boolean;
  /** Those words are names of branches: a listing of them is fed to it. */
  readonly takesBranches?: true;
  /** Of a `trap` that runs when the line ends: the variables that have one value, up to the end. */
  readonly kept?: ReadonlyMap<string, ShellWord | null>;
  /** For the `{}` of `find -exec`, and for what a pipeline feeds to `xargs`: what it stands for. */
  readonly found: FoundFiles | null;
  /** Where it may run, each relative to the step's folder, absolute, or below `~`; null stands for anywhere. */
  readonly folders: readonly (string | null)[];
}

/** What `find` comes upon: all that is below its folders, or of that the files with one of the names. */
export interface FoundFiles {
  readonly roots: readonly ShellWord[];
  readonly names: readonly string[] | null;
  /** Only some of it, which are known when it runs. */
  readonly isPart?: boolean;
  /** Of these only what git tracks, or nothing whose name begins with a dot. */
  readonly skips?: "untracked" | "hidden";
}

/** Something that cannot be known of a line by reading it. */
export interface Unsure {
  readonly kind: UnsureKind;
  /** The part of the line that says so. */
  readonly text: string;
}

export type UnsureKind =
  /** Which program or subcommand runs: `$x`, `$(…)`, `g*t`, `eval "$x"`, an alias of the line. */
  | "program"
  /** Lines that a shell reads from a pipe or from something that is not in the line: `base64 -d x | sh`. */
  | "shell-input"
  /** A file that the line itself makes and then runs. */
  | "written-script"
  /** `. file` and `source file`: its lines run here. */
  | "sourced-file"
  /** Which file a redirection opens. */
  | "redirect"
  /** Text given to an interpreter: `python -c`, `node -e`, `python <<E`. Everyday work: only `interpreters: ask` counts it. */
  | "interpreter"
  /** Arithmetic or a subscript over a value that nobody has read: `$((x))`. As everyday as an interpreter. */
  | "expression";

export interface LineAnalysis {
  readonly line: string;
  readonly commands: readonly SimpleCommand[];
  /** Why the line could not be read whole; such a line counts as destructive. */
  readonly problem: string | null;
  /** What could not be known; guards treat it as their `unsure` says. */
  readonly unsure: readonly Unsure[];
  /** What decides only at run time which program runs; such a line counts as destructive. */
  readonly unresolved: readonly string[];
}

export const joinShellWords = (words: readonly ShellWord[]): string =>
  words.map((word) => word.text).join(" ");

/** What a command runs in its turn. */
export type InnerCommand =
  | {
      readonly kind: "words";
      readonly words: readonly ShellWord[];
      readonly assignments: readonly LineAssignment[];
      readonly takesMoreWords: boolean;
      /** The folder it is run in, from that of its wrapper; null where that is unknown, absent where it is the same. */
      readonly folder?: string | null;
      readonly found?: FoundFiles;
    }
  /** A line that is parsed in its turn. */
  | {
      readonly kind: "text";
      readonly text: ShellWord;
      /** Its positional parameters, `$0` the first. */
      readonly parameters?: readonly ShellWord[];
      /** It looks like a line, in a program that nobody has described: where it does not parse it was none. */
      readonly isGuess?: boolean;
    }
  /** Only known when it runs. */
  | { readonly kind: "unseen"; readonly what: string; readonly why?: UnsureKind };

/** `-rf` has `r` and `f`; `--recursive` may be cut short as GNU programs allow. */
export function hasFlag(args: readonly string[], letters: string, ...names: string[]): boolean {
  for (const arg of args) {
    if (arg === "--") return false;
    if (arg.startsWith("--")) {
      const name = arg.slice(2).split("=", 1)[0] ?? "";
      if (name !== "" && names.some((known) => known.startsWith(name))) return true;
    } else if (/^-./.test(arg) && [...letters].some((letter) => arg.includes(letter))) return true;
  }
  return false;
}

export const operandsOf = (args: readonly string[]): string[] =>
  args.filter((arg) => !/^-./.test(arg));
