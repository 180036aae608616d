// For virtual commands: whether a line is nothing but one command of fixed words.
import { parse, type Word, type WordPart } from "unbash";

type LiteralReading =
  | { readonly kind: "literal"; readonly words: readonly string[] }
  | { readonly kind: "other" };

const OTHER: LiteralReading = { kind: "other" };
const MAX_LENGTH = 131_072;

/**
 * Whether the whole line is one simple command whose words are the same in bash, dash and zsh. Whatever is not
 * plainly so is `other`.
 *
 * @example
 * readLiteralCommand(`adj-branch list 'my branch'`); // literal: adj-branch, list, my branch
 * readLiteralCommand("adj-branch list | wc -l"); // other
 */
export function readLiteralCommand(line: string): LiteralReading {
  if (line.length > MAX_LENGTH || line.includes("\0") || /\{[^\s]*\{/.test(line)) return OTHER;
  const words = readOnlyCommand(line);
  if (words === null || !words.every(isFixedWord) || !standAlone(words, line)) return OTHER;
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

const BEFORE = /^(?:\s|#[^\n]*\n)*$/;
const BETWEEN = /^[ \t]+$/;
const AFTER = /^(?:[ \t]+#[^\n]*|[ \t]*)(?:\n(?:\s|#[^\n]*(?:\n|$))*)?$/;

/** A tolerant parser passes over what a shell would not: outside the words there is nothing but space. */
function standAlone(words: readonly Word[], line: string): boolean {
  const gaps = words.slice(1).map((word, index) => line.slice(words[index]?.end, word.pos));
  return (
    BEFORE.test(line.slice(0, words[0]?.pos)) &&
    gaps.every((gap) => BETWEEN.test(gap)) &&
    AFTER.test(line.slice(words.at(-1)?.end))
  );
}

/** Unquoted: no character that some shell treats as its own; behind a backslash anything but a line's end.
 * zsh looks for a program where a word begins with `=`, quoted emptiness before it or not. */
const PLAIN = /^(?!=)(?:[\p{L}\p{N}_@%+,./:=-]|\\[^\n\r])*$/u;

function isFixedWord(word: Word): boolean {
  if (word.parts === undefined) return PLAIN.test(word.text);
  return word.parts.every(isFixedPart);
}

function isFixedPart(part: WordPart): boolean {
  if (part.type === "SingleQuoted") return true;
  if (part.type === "DoubleQuoted") return part.parts.every((child) => child.type === "Literal");
  if (part.type !== "Literal") return false;
  return PLAIN.test(part.text);
}
