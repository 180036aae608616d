// What a pipeline feeds to `xargs`: `git ls-files src | xargs cat` reads what is below `src`.

import {
  type FoundFiles,
  HERE,
  type LineRedirection,
  operandsOf,
  type ShellWord,
  type SimpleCommand,
} from "../simple-command.ts";
import { foundBy } from "../wrappers/unwrap-found.ts";

/** The files whose names come out of a command; null where they cannot be known. */
export function filesPrintedBy(command: SimpleCommand, fed: FoundFiles | null): FoundFiles | null {
  const [first, ...words] = command.words;
  const args = words.map(({ text }) => text);
  if (command.redirections.some(mayPrintOthers) && first?.text !== "find") return null;
  switch (first?.text) {
    case "find":
    case "gfind":
      return args.some((arg) => /^-(printf|fprintf|exec|execdir|ls|files0-from)$/.test(arg))
        ? null
        : foundBy(command);
    case "git":
      return gitNames(words);
    case "xargs":
      return namesPassed(words, fed);
    case "rg":
    case "grep":
      return grepNames(words, args, fed);
    case "ls":
      return words.some(({ kind }) => kind === "glob") &&
        words.every(({ text, kind }) => kind === "glob" || text.startsWith("-"))
        ? listed(words)
        : null;
    case "echo":
    case "printf":
      if (words.at(-1)?.found !== undefined && words.slice(0, -1).every(isFormat))
        return words.at(-1)?.found ?? null;
      return words.every(({ text, kind }) => kind !== "open" && !WRITES_OTHERS.test(text))
        ? listed(words.flatMap(splitEscapes))
        : null;
    // They leave lines out, or put them in another order.
    case "sort":
    case "uniq":
    case "head":
    case "tail":
      return operandsOf(args).every((arg) => /^\+?\d+$/.test(arg)) ? fed : null;
    default:
      return null;
  }
}

/** What is taken from a file, or put elsewhere; nobody reads `/dev/null`. */
const mayPrintOthers = (each: LineRedirection): boolean =>
  each.kind === "file" && !(each.writes && each.target.text === "/dev/null");

const isFormat = ({ text, kind }: ShellWord): boolean =>
  kind === "literal" && /^(-[ne]+|(?:%s\\?n?|\\n)+)$/.test(text);

/** `printf '\056env'` prints what does not stand there. */
const WRITES_OTHERS = /\\(?![nt]|0(?![0-7]))|%(?!s)/;

/** `printf '%s\n' a` and `printf 'a\nb\n'` print words of their own. */
const splitEscapes = (word: ShellWord): ShellWord[] =>
  word.text
    .split(/\\[nt0]|%s|\s/)
    .filter((text) => text !== "")
    .map((text) => ({ ...word, text }));

const listed = (words: readonly ShellWord[]): FoundFiles => ({
  roots: words.filter(({ text }) => !text.startsWith("-")),
  names: null,
});

/** `xargs grep -l x` prints some of the names that it is fed. */
function namesPassed(words: readonly ShellWord[], fed: FoundFiles | null): FoundFiles | null {
  const at = words.findIndex(({ text }) => !/^-[0r]{1,2}$/.test(text));
  const [program, ...rest] = at === -1 ? [] : words.slice(at);
  const options = rest.slice(0, -1);
  const isNames =
    /^[ef]?grep$/.test(program?.text ?? "") &&
    rest.every(({ kind }) => kind === "literal") &&
    options.every(({ text }) => /^-[lLiIwFEPsqHn]+$/.test(text)) &&
    options.some(({ text }) => /[lL]/.test(text)) &&
    rest.at(-1)?.text.startsWith("-") === false;
  return isNames ? fed : null;
}

/** Names of files that git tracks, below the paths that are named. */
function gitNames(words: readonly ShellWord[]): FoundFiles | null {
  const [verb, ...rest] = words;
  if (verb?.text === "grep") return namesFound(rest);
  const prints =
    verb?.text === "ls-files" ||
    (verb?.text === "diff" && rest.some(({ text }) => text === "--name-only"));
  if (!prints || rest.some(({ kind }) => kind === "open")) return null;
  const isTracked = !rest.some(({ text }) => /^(-[a-z]*o[a-z]*|--others)$/.test(text));
  const operands = rest.filter(({ text }) => !text.startsWith("-"));
  return verb?.text === "diff" ? trackedBelow([], isTracked) : trackedBelow(operands, isTracked);
}

/** What git tracks, or sees, below these paths and patterns; without one of them here. */
function trackedBelow(operands: readonly ShellWord[], isTracked: boolean): FoundFiles {
  const globs = operands.filter(({ text }) => /[*?[]/.test(text));
  const names = globs.map(({ text }) => text.split("/").at(-1) ?? "*");
  const skips = isTracked ? { skips: "untracked" as const } : {};
  if (operands.length === 0) return { roots: [HERE], names: null, ...skips };
  if (globs.length === operands.length) return { roots: [HERE], names, ...skips };
  return globs.length > 0
    ? { roots: [HERE], names: null, ...skips }
    : { roots: operands, names: null, ...skips };
}

/** `git grep -l` searches what git tracks below the folder it is in, if nothing else is said. */
function namesFound(words: readonly ShellWord[]): FoundFiles | null {
  const isElsewhere = words.some(
    ({ text, kind }) => kind === "open" || /^([:/]|--(no-i|un|rec))|\.\./.test(text),
  );
  const isNames = words.some(({ text }) => NAMES_ONLY.test(text));
  if (!isNames || isElsewhere) return null;
  const at = words.findIndex(({ text }) => text === "--");
  return { ...trackedBelow(at === -1 ? [] : words.slice(at + 1), true), isPart: true };
}

const NAMES_ONLY = /^(-[a-zA-Z]*[lL][a-zA-Z]*|--files(-with(out)?-match(es)?)?)$/;

/** `grep -l` prints names of what it read; without files it lets lines through. */
function grepNames(
  words: readonly ShellWord[],
  args: readonly string[],
  fed: FoundFiles | null,
): FoundFiles | null {
  const isNames = args.some((arg) => NAMES_ONLY.test(arg));
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  if (!isNames) return fed !== null && operands.length <= 1 && !args.includes("-o") ? fed : null;
  if (words.some(({ kind }) => kind === "open")) return null;
  const names = args.flatMap((arg) => /^--include=(.+)$/.exec(arg)?.[1] ?? []);
  const roots = operands.slice(1);
  return {
    roots: roots.length === 0 ? [HERE] : roots,
    names: names.length === 0 ? null : names,
    isPart: true,
  };
}
