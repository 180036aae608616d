import type { LineAssignment, ShellWord } from "./line-analysis.ts";

/** What a command runs in its turn. */
export type Inner =
  | {
      readonly kind: "words";
      readonly words: readonly ShellWord[];
      readonly assignments: readonly LineAssignment[];
      readonly takesMoreWords: boolean;
    }
  /** A line that is parsed in its turn. */
  | { readonly kind: "text"; readonly text: ShellWord }
  /** Only known when it runs. */
  | { readonly kind: "unseen"; readonly what: string };
