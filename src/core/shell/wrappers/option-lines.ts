// Lines for a shell that stand in the options of programs which are no shells.
import {
  type InnerCommand,
  joinShellWords,
  type ShellWord,
  type SimpleCommand,
} from "../simple-command.ts";
import { SHELLS } from "./wrappers.ts";

export const afterOption = (words: readonly ShellWord[], option: RegExp): ShellWord | undefined => {
  const at = words.findIndex(({ text }) => option.test(text));
  return at === -1 ? undefined : words[at + 1];
};

/** In the same word behind `=`, or in the next. */
export const optionValue = (words: readonly ShellWord[], option: RegExp): ShellWord | undefined => {
  const joined = words.find(
    ({ text }) => option.test(text.split("=", 1)[0] ?? "") && text.includes("="),
  );
  if (joined === undefined) return afterOption(words, option);
  return { ...joined, text: joined.text.slice(joined.text.indexOf("=") + 1) };
};

export const asLine = (text: ShellWord | undefined): InnerCommand[] =>
  text === undefined || text.text === "" || text.text === "-" ? [] : [{ kind: "text", text }];

/** `strace -o '|…'` hands what it notes to a shell's line. */
export const traceLines = ({ words }: SimpleCommand): InnerCommand[] =>
  words.flatMap(({ text, kind }, index): InnerCommand[] => {
    const isNext = /^(-\w*o|--output)$/.test(words[index - 1]?.text ?? "");
    const line = isNext
      ? /^[|!](.+)$/s.exec(text)?.[1]
      : /^(?:-o|--output=)[|!](.+)$/s.exec(text)?.[1];
    return line === undefined ? [] : [{ kind: "text", text: { text: line, kind } }];
  });

/** A makefile that is no file holds lines for a shell which nobody has seen. */
export function unwrapMake({ words, text }: SimpleCommand): InnerCommand[] {
  const isUnseen = words.some((word, index) => {
    if (/^(--eval|-E)/.test(word.text)) return true;
    // It is what runs every line.
    const shell = /^SHELL=(.*)$/s.exec(word.text)?.[1];
    if (shell !== undefined && !SHELLS.has(shell.slice(shell.lastIndexOf("/") + 1))) return true;
    const file = /^(-f|--file|--makefile|--justfile)$/.test(words[index - 1]?.text ?? "")
      ? word.text
      : (/^(?:-f|--(?:make|just)?file=)(.+)$/s.exec(word.text)?.[1] ?? "");
    return /^(-$|<\(|\/dev\/)/.test(file);
  });
  return isUnseen ? [{ kind: "unseen", why: "shell-input", what: text }] : [];
}

/** `.sh LINE` and `.system LINE`, which may be cut short, and `.output |LINE`. */
const DATABASE_LINE =
  /^\s{0,9}\.(?:s(?:h|he|hel|hell|y|ys|yst|yste|ystem)\s|(?:o|on|onc|once|ou|out|outp|outpu|output|log|import)\s{1,9}\|)(.{1,2000})$/gm;

/** What `sqlite3` hands to a shell, by a word or by its input. */
export const databaseLines = ({ words, redirections }: SimpleCommand): InnerCommand[] =>
  [
    ...words.slice(1),
    ...redirections.flatMap((each) => (each.kind === "text" ? [each.body] : [])),
  ].flatMap(({ text, kind }) =>
    [...text.matchAll(DATABASE_LINE)].flatMap(([, line = ""]) => asLine({ text: line, kind })),
  );

const KEYS: ReadonlyMap<string, string> = new Map([
  ...[" ", "Space"].map((key) => [key, " "] as const),
  ...["Enter", "C-m", "C-j"].map((key) => [key, "\n"] as const),
]);

/** `tmux send-keys git Space push Enter` types a line into somebody's shell. */
export function typedLines({ words }: SimpleCommand): InnerCommand[] {
  const at = words.findIndex(({ text }) => /^send(-keys)?$/.test(text));
  if (at === -1) return [];
  const text = words
    .slice(at + 1)
    .map((word) => KEYS.get(word.text) ?? word.text)
    .join("");
  const line = text.replace(/^(?:-\w\s?)+/, "");
  return [{ kind: "text", text: { text: line, kind: "literal" }, isGuess: true }];
}

/** What the shell puts in for the substitutions of a text. */
export const asExpanded = (word: ShellWord | undefined): InnerCommand[] =>
  word === undefined ? [] : asLine({ ...word, text: `: ${word.text}` });

/** `parallel gzip` adds words to a command as `xargs` does, or puts them into a line; behind `:::` they are given. */
export function fedLine(words: readonly ShellWord[]): InnerCommand[] {
  const isGiven = words.length === 0 || words.some(({ text }) => /^:{3,4}\+?$/.test(text));
  if (isGiven) return joinedLine(words);
  if (words.every(({ text, kind }) => kind === "literal" && /^[\w./=:@%+,-]+$/.test(text)))
    return [{ kind: "words", words, assignments: [], takesMoreWords: true }];
  return joinedLine(
    words.map(({ text, kind }) => ({ kind, text: text.replace(/\{[./#]{0,3}\}/g, () => '"$@"') })),
  );
}

/** As `eval` does: a shell reads the words, joined by spaces, once more. */
export function joinedLine(words: readonly ShellWord[]): InnerCommand[] {
  if (words.length === 0) return [];
  const kind = words.some((word) => word.kind !== "literal") ? "open" : "literal";
  return [{ kind: "text", text: { text: joinShellWords(words), kind } }];
}
