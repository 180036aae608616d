// `xargs` and `find -exec`: part of the words of what they run comes from elsewhere.

import type { Inner } from "./inner-command.ts";
import type { ShellWord, SimpleCommand } from "./line-analysis.ts";
import { skipOptions } from "./skip-options.ts";
import { WRAPPERS } from "./wrappers.ts";

export function unwrapXargs(command: SimpleCommand): Inner[] {
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
  words.map((word) => (word.text.includes(marker) ? { ...word, kind: "open" } : word));

/** Of `find`, and of `fd`. */
const EXEC = /^-(exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/;

export function unwrapFind({ words }: SimpleCommand): Inner[] {
  const inner: Inner[] = [];
  for (let index = 0; index < words.length; index++) {
    if (!EXEC.test(words[index]?.text ?? "")) continue;
    const start = index + 1;
    let end = start;
    while (end < words.length && !isExecEnd(words, end)) end++;
    const run = openWords(words.slice(start, end), "{}");
    inner.push({ kind: "words", words: run, assignments: [], takesMoreWords: false });
    index = end;
  }
  return inner;
}

const isExecEnd = (words: readonly ShellWord[], index: number): boolean =>
  words[index]?.text === ";" || (words[index]?.text === "+" && words[index - 1]?.text === "{}");
