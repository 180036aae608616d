// A shell line taken apart: every simple command in it, wherever it stands.

export interface ShellWord {
  /** Unquoted; an expansion stays as it was written. */
  readonly text: string;
  /** `glob`: names of files take its place. `open`: known only when the line runs. */
  readonly kind: "literal" | "glob" | "open";
}

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
  /** The words joined by one space: what a `command` glob is tried on. */
  readonly text: string;
  /** `unwrapped`: what a wrapper such as `sudo` or `sh -c` runs. `base-name`: `/usr/bin/git` as `git`. */
  readonly form: "typed" | "unwrapped" | "base-name";
  readonly assignments: readonly LineAssignment[];
  readonly redirections: readonly LineRedirection[];
  /** `xargs` and its like add words that are not in the line. */
  readonly takesMoreWords: boolean;
}

export interface LineAnalysis {
  readonly line: string;
  readonly commands: readonly SimpleCommand[];
  /** Why the line could not be read whole; such a line counts as destructive. */
  readonly problem: string | null;
  /** What decides only at run time which program runs; such a line counts as destructive. */
  readonly unresolved: readonly string[];
}

export const joinWords = (words: readonly ShellWord[]): string =>
  words.map((word) => word.text).join(" ");
