// What `xargs`, `find` and `fd` run: part of the words comes from elsewhere.
import {
  type FoundFiles,
  HERE,
  type InnerCommand,
  type ShellWord,
  type SimpleCommand,
} from "../simple-command.ts";
import { skipOptions, WRAPPERS } from "./wrappers.ts";

/** `xargs` and `find -exec`: part of the words of what they run comes from elsewhere. */
export function unwrapXargs(command: SimpleCommand): InnerCommand[] {
  const rule = WRAPPERS.get("xargs");
  if (rule === undefined) return [];
  const { rest, options } = skipOptions(command.words, rule);
  // Without a program it prints what it reads.
  if (rest.length === 0 && !command.takesMoreWords) return [];
  const marker = findMarker(command.words, options);
  const words = marker === null ? rest : openWords(rest, marker);
  return [{ kind: "words", words, assignments: [], takesMoreWords: marker === null }];
}

/** What `-I {}` replaces in the words, null where words are added at the end. */
function findMarker(words: readonly ShellWord[], options: readonly string[]): string | null {
  for (const option of options) {
    if (option === "-i" || option === "--replace") return "{}";
    const match = /^(?:-i|-\w*?[IJ]|--replace=)(.*)$/.exec(option);
    if (match === null || option.startsWith("--max")) continue;
    const at = words.findIndex(({ text }) => text === option);
    return match[1] === "" ? (words[at + 1]?.text ?? "{}") : (match[1] ?? "{}");
  }
  return null;
}

const openWords = (words: readonly ShellWord[], marker: string): ShellWord[] =>
  words.map((word) =>
    marker !== "" && word.text.includes(marker)
      ? { text: word.text.replaceAll(marker, "{}"), kind: "open" }
      : word,
  );

/** Of `find`, and of `fd`. */
const EXEC = /^-(exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/;

export function unwrapFind(command: SimpleCommand): InnerCommand[] {
  const { words } = command;
  const inner: InnerCommand[] = [];
  const found = foundBy(command);
  for (let index = 0; index < words.length; index++) {
    if (!EXEC.test(words[index]?.text ?? "")) continue;
    const start = index + 1;
    let end = start;
    while (end < words.length && !isExecEnd(words, end)) end++;
    const given = words.slice(start, end);
    const run = openWords(isFd(command) ? withPlaceholder(given) : given, "{}");
    // `-execdir` runs in the folder of each file.
    const isElsewhere = words[index]?.text.endsWith("dir") === true;
    const place = isElsewhere ? { folder: null } : {};
    inner.push({
      ...{ kind: "words", words: run, assignments: [], takesMoreWords: false, found },
      ...place,
    });
    index = end;
  }
  return inner;
}

const isFd = ({ words: [program] }: SimpleCommand): boolean =>
  /^fd(find)?$/.test(program?.text ?? "");

/** `fd` adds the path where nothing stands for it; `{/}` and its like stand for a part of it. */
const withPlaceholder = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words.some(({ text }) => PLACEHOLDER.test(text))
    ? words.map((word) => ({ ...word, text: word.text.replace(PLACEHOLDER, "{}") }))
    : [...words, { text: "{}", kind: "open" }];
const PLACEHOLDER = /\{[/.]{0,2}\}/;

/** Names count only where nothing else could let a file through. */
export function foundBy({ words: [program, ...words] }: SimpleCommand): FoundFiles {
  const isFind = /find$/.test(program?.text ?? "");
  if (/^fd(find)?$/.test(program?.text ?? "")) return { ...foundByFd(words), isPart: true };
  if (!isFind) return { roots: [HERE], names: null };
  const start = words.findIndex(
    ({ text }) => /^[-(!,]/.test(text) && !/^-(H|L|P|D|O\d?)$/.test(text),
  );
  const roots = words
    .slice(0, start === -1 ? words.length : start)
    .filter(({ text }) => !/^-(H|L|P|D|O\d?)$/.test(text));
  return {
    roots: roots.length === 0 ? [{ text: ".", kind: "literal" }] : roots,
    names: namesFound(words),
    isPart: findsPart(words),
  };
}

/** `fd` passes over hidden files, and with `-e` over all but those of one kind. */
function foundByFd(given: readonly ShellWord[]): FoundFiles {
  const end = given.findIndex(({ text }) => EXEC.test(text));
  const words = end === -1 ? given : given.slice(0, end);
  const names = words.flatMap(({ text, kind }, index): string[] => {
    const value = words[index + 1];
    if (/^(-e|--extension)$/.test(text))
      return [value?.kind === "literal" ? `*.${value.text}` : "*"];
    const attached = /^(?:-e|--extension=)(.+)$/.exec(text)?.[1];
    return attached === undefined ? [] : [kind === "literal" ? `*.${attached}` : "*"];
  });
  const isPlain = words.every(
    ({ text, kind }) =>
      kind === "literal" &&
      !/^(-[a-zA-Z]*[HIu]|--(hidden|no-ignore.*|unrestricted|search-path.*|base-directory.*))/.test(
        text,
      ),
  );
  const [pattern, ...roots] = operandsOfFd(words);
  const named = patternName(words, pattern);
  const all = names.length > 0 && isPlain ? names : null;
  return {
    roots: roots.length > 0 ? roots : [HERE],
    names: named === null ? all : [named],
    ...(isPlain ? { skips: "hidden" as const } : {}),
  };
}

const FD_VALUED =
  /^(-[eEtdcjSo]|--(extension|exclude|type|(max-|min-|exact-)?depth|threads|size|owner|color|changed-\w+|newer|older))$/;

const operandsOfFd = (words: readonly ShellWord[]): ShellWord[] =>
  words.filter(
    ({ text }, index) => !text.startsWith("-") && !FD_VALUED.test(words[index - 1]?.text ?? ""),
  );

/** `\.spec\.ts$` and `^node_modules$` say which names; other expressions, and those of whole paths, are not read. */
function patternName(words: readonly ShellWord[], pattern: ShellWord | undefined): string | null {
  const known = /^(\^?)((?:[\w-]|\\\.){1,100})\$$/.exec(pattern?.text ?? "");
  const isOther = words.some(
    ({ text, kind }) =>
      kind !== "literal" ||
      /^(-\w*[pgF]|--(full|glob|fixed|and|search|base|rel|strip).*)/.test(text),
  );
  if (known === null || isOther) return null;
  const name = (known[2] ?? "").replaceAll("\\.", ".");
  return caseless(known[1] === "^" ? name : `*${name}`, true);
}

const ACTION = /^-(delete|exec|execdir|ok|okdir|print0?|printf|fprint\w*|ls|fls)$/;

/** The names that `find` lets through; null where anything but a name decides. A name behind `!` lets others through. */
export function namesFound(words: readonly ShellWord[]): readonly string[] | null {
  if (words.some(({ text, kind }) => text === "," || kind === "open")) return null;
  if (words.filter(({ text }) => text === "(").length > MAX_BRACKETS) return null;
  const at = { index: 0 };
  const { names } = readEither(words, at, true);
  // A bracket that closes nothing is the value of a test, so what stands behind it was not read.
  return at.index > words.length ? names : null;
}

interface Terms {
  /** Null: files with any name get through. */
  readonly names: readonly string[] | null;
  /** Whether anything is done to a file that gets so far. */
  readonly acts: boolean;
}

/** `-name a -o -name b`, up to the end or the bracket that closes it. */
function readEither(words: readonly ShellWord[], at: { index: number }, isAll = false): Terms {
  const all: Terms[] = [];
  for (;;) {
    all.push(readAll(words, at));
    if (!/^-or?$/.test(words[at.index]?.text ?? "")) break;
    at.index++;
  }
  at.index++;
  const acting = all.filter((each) => each.acts);
  // `-path x -prune -o -name y -print`: where something is done to some, nothing is printed of the others.
  const counting = isAll && acting.length > 0 ? acting : all;
  const names = counting.flatMap((each) => each.names ?? []);
  const isAny = counting.some((each) => each.names === null) || names.length > MAX_NAMES;
  return { names: isAny ? null : names, acts: acting.length > 0 };
}

/** All of these must hold, so one name is enough; `find . -delete -name x` deletes before it looks at a name. */
function readAll(words: readonly ShellWord[], at: { index: number }): Terms {
  let names: readonly string[] | null = null;
  let acts = false;
  let isNegated = false;
  for (let word = words[at.index]; word !== undefined; word = words[at.index]) {
    const { text } = word;
    if (/^(-or?|\))$/.test(text)) break;
    at.index++;
    if (/^(!|-not)$/.test(text)) {
      isNegated = true;
      continue;
    }
    if (text === "(") {
      const inner = readEither(words, at);
      if (!isNegated && !acts && !inner.acts) names ??= inner.names;
      acts ||= inner.acts;
    } else if (/^-i?name$/.test(text)) {
      const glob = caseless(words[at.index++]?.text ?? "*", text === "-iname");
      if (!isNegated && !acts) names ??= [glob];
    } else acts ||= ACTION.test(text);
    isNegated = false;
  }
  return { names, acts };
}

const MAX_NAMES = 50;
const MAX_BRACKETS = 50;

const isNegation = (word: ShellWord | undefined): boolean =>
  word?.text === "!" || word?.text === "-not";

const TESTS =
  /^-(newer\w*|[acm](time|min)|size|empty|user|group|perm|inum|links|samefile|executable|i?regex|i?path|i?wholename|used|[gu]id|nouser|nogroup)$/;

/** Whether more than kinds and depths decides which files they are. */
export const findsPart = (words: readonly ShellWord[]): boolean =>
  untilAction(words).some(({ text }, index) => TESTS.test(text) && !isNegation(words[index - 1]));

function untilAction(words: readonly ShellWord[]): readonly ShellWord[] {
  const action = words.findIndex(({ text }) => ACTION.test(text));
  return action === -1 ? words : words.slice(0, action);
}

/** `find . -type d -empty -delete` loses nothing. */
export function findsOnlyEmpty(words: readonly ShellWord[]): boolean {
  const at = words.findIndex(({ text }) => text === "-empty");
  const action = words.findIndex(({ text }) => text === "-delete");
  const widens = ({ text }: ShellWord, index: number): boolean =>
    /^(-o|-or|,)$/.test(text) ||
    (/^(!|-not)$/.test(text) && !/^-(i?path|i?name)$/.test(words[index + 1]?.text ?? ""));
  return at !== -1 && at < action && !words.some(widens);
}

/** Of these no file is touched. */
export const findsOnlyEmptyFolders = (words: readonly ShellWord[]): boolean =>
  findsOnlyEmpty(words) &&
  untilAction(words).some(({ text }, index) => text === "-type" && words[index + 1]?.text === "d");

/** `-iname read*` as a glob for either case. */
const caseless = (glob: string, isCaseless: boolean): string =>
  isCaseless && !glob.includes("[")
    ? glob.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    : glob;

const isExecEnd = (words: readonly ShellWord[], index: number): boolean =>
  words[index]?.text === ";" || (words[index]?.text === "+" && words[index - 1]?.text === "{}");
