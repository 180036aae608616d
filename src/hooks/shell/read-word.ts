// A word of unbash's tree as the words the shell makes of it.
import type { Assignment, Word, WordPart } from "unbash";
import { expandBraces } from "./expand-braces.ts";
import type { LineAssignment, ShellWord } from "./line-analysis.ts";

const FIXED_PARTS: ReadonlySet<WordPart["type"]> = new Set([
  "Literal",
  "SingleQuoted",
  "AnsiCQuoted",
]);

/** More than one where braces are expanded. */
export function readWord(word: Word): readonly ShellWord[] {
  const parts = word.parts ?? [];
  if (!parts.some((part) => part.type === "BraceExpansion"))
    return [{ text: word.value, kind: kindOf(parts) }];
  const expanded = expandBraces(word.text);
  if (expanded === null) return [{ text: word.value, kind: "open" }];
  return expanded.map((text) => ({ text, kind: /[*?]/.test(text) ? "glob" : "literal" }));
}

/** Where the shell makes exactly one word of it: a value, a target. */
export function readOneWord(word: Word): ShellWord {
  return { text: word.value, kind: kindOf(word.parts ?? []) };
}

export function readAssignment({ name, value }: Assignment): LineAssignment {
  if (value.type === "Word") return { name, value: readOneWord(value) };
  return { name, value: { text: "", kind: "open" } };
}

export function kindOf(parts: readonly WordPart[]): ShellWord["kind"] {
  let kind: ShellWord["kind"] = "literal";
  for (const part of parts) {
    if (part.type === "Glob" || part.type === "ExtendedGlob") kind = "glob";
    else if (!isFixed(part)) return "open";
  }
  return kind;
}

function isFixed(part: WordPart): boolean {
  if (part.type === "DoubleQuoted" || part.type === "LocaleString")
    return part.parts.every((child) => child.type === "Literal");
  return FIXED_PARTS.has(part.type);
}
