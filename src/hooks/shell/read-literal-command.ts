// For virtual commands: whether a line is nothing but one command of fixed words.
import { parse, type Word, type WordPart } from "unbash";

export type LiteralReading =
  | { readonly kind: "literal"; readonly words: readonly string[] }
  | { readonly kind: "other" };

const OTHER: LiteralReading = { kind: "other" };
const LONGEST = 131_072;

/**
 * Whether the whole line is one simple command whose words are the same in bash, dash and zsh. Whatever is not
 * plainly so is `other`.
 *
 * @example
 * readLiteralCommand(`adj-branch list 'my branch'`); // literal: adj-branch, list, my branch
 * readLiteralCommand("adj-branch list | wc -l"); // other
 */
export function readLiteralCommand(line: string): LiteralReading {
  if (line.length > LONGEST || line.includes("\0") || /\{[^\s]*\{/.test(line)) return OTHER;
  const words = readOnlyCommand(line);
  if (words === null || !words.every(isFixedWord)) return OTHER;
  return { kind: "literal", words: words.map((word) => word.value) };
}

/** The words of the only command, null where there is anything beside it. */
function readOnlyCommand(line: string): readonly Word[] | null {
  const { commands, errors, shebang } = parse(line);
  const [statement, another] = commands;
  if (statement === undefined || another !== undefined || errors !== undefined) return null;
  const { command, background } = statement;
  if (background || shebang !== undefined || command.type !== "Command") return null;
  if (command.name === undefined || command.prefix.length > 0) return null;
  const words: Word[] = [command.name];
  for (const part of command.suffix) {
    if (part.type !== "Word") return null;
    words.push(part);
  }
  return words;
}

/** Unquoted: no character that some shell treats as its own; behind a backslash anything but a line's end. */
const PLAIN = /^(?!=)(?:[\p{L}\p{N}_@%+,./:=-]|\\[^\n\r])*$/u;

function isFixedWord(word: Word): boolean {
  if (word.parts === undefined) return PLAIN.test(word.text);
  return word.parts.every((part, index) => isFixedPart(part, index));
}

function isFixedPart(part: WordPart, index: number): boolean {
  if (part.type === "SingleQuoted") return true;
  if (part.type === "DoubleQuoted") return part.parts.every((child) => child.type === "Literal");
  if (part.type !== "Literal") return false;
  return PLAIN.test(index === 0 ? part.text : `.${part.text}`);
}
