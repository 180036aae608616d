// Which words of the command line the template has used up, and which are left for the agent. Pure.

import { listVariables } from "../../markdown/body/body-contents.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";

export interface LeftWord {
  readonly word: string;
  /** The body is position 1, so the first word is 2. */
  readonly position: number;
}

export interface SortedWords {
  /** All of them, as `{{ args }}` has them. */
  readonly words: readonly string[];
  /** `arg2`, where the template wants a word that is not there. */
  readonly missing: readonly string[];
  readonly left: readonly LeftWord[];
}

export function sortWords(
  { body, inputs }: Pick<MarkdownFile, "body" | "inputs">,
  given: Readonly<Record<string, unknown>>,
  rest: readonly string[],
): SortedWords {
  const named = inputs.filter(({ position }) => position !== null);
  const first = named
    .toSorted((a, b) => Number(a.position) - Number(b.position))
    .flatMap(({ name }) => (given[name] === undefined ? [] : [String(given[name])]));
  const words = [...first, ...rest];
  const used = listVariables(body);
  const numbers = used.flatMap((name) => /^arg(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  const isUsed = (at: number): boolean =>
    at < first.length || used.includes("args") || numbers.includes(at + 1);
  return {
    words,
    missing: numbers.filter((number) => number > words.length).map((number) => `arg${number}`),
    left: words.flatMap((word, at) => (isUsed(at) ? [] : [{ word, position: at + 2 }])),
  };
}
