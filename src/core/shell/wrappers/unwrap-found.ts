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
    const run = openWords(words.slice(start, end), "{}");
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

/** Names count only where nothing else could let a file through. */
export function foundBy({ words: [program, ...words] }: SimpleCommand): FoundFiles {
  const isFind = /find$/.test(program?.text ?? "");
  if (/^fd(find)?$/.test(program?.text ?? "")) return foundByFd(words);
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
  return {
    roots: [HERE],
    names: names.length > 0 && isPlain ? names : null,
    ...(isPlain ? { skips: "hidden" as const } : {}),
  };
}

const ACTION = /^-(delete|exec|execdir|ok|okdir|print0?|printf|fprint\w*|ls|fls)$/;

/** The names that `find` lets through; null where anything but a name decides. A name behind `!` lets others through. */
export function namesFound(words: readonly ShellWord[]): readonly string[] | null {
  if (words.some(({ text, kind }) => /^(-o|-or|,)$/.test(text) || kind === "open")) return null;
  // `find . -delete -name x` deletes all there is before it looks at a name.
  const action = words.findIndex(({ text }) => ACTION.test(text));
  const before = action === -1 ? words : words.slice(0, action);
  const names = before.flatMap(({ text }, index) =>
    /^-i?name$/.test(text) && !/^(!|-not)$/.test(words[index - 1]?.text ?? "")
      ? [caseless(words[index + 1]?.text ?? "*", text === "-iname")]
      : [],
  );
  return names.length > 0 ? names.slice(0, 1) : null;
}

/** `-iname read*` as a glob for either case. */
const caseless = (glob: string, isCaseless: boolean): string =>
  isCaseless && !glob.includes("[")
    ? glob.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    : glob;

const isExecEnd = (words: readonly ShellWord[], index: number): boolean =>
  words[index]?.text === ";" || (words[index]?.text === "+" && words[index - 1]?.text === "{}");
