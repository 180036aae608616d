// From a place in a text that a YAML file gives to the place in the file where a person wrote it.
import type { Where } from "../../core/command/fault.ts";

const MAX_FRAGMENT = 40;

/**
 * Folding, quotes and indentation move characters about, so what stands there is looked for behind the start of the value;
 * where it is not found the start itself is the answer.
 */
export function locateWithin(source: string, start: Where, text: string) {
  const from = offsetOf(source, start);
  return (offset: number): Where => {
    const fragment = /^[^\n]*/.exec(text.slice(offset, offset + MAX_FRAGMENT))?.[0] ?? "";
    if (fragment.trim() === "") return start;
    const before = countOccurrences(text.slice(0, offset + fragment.length - 1), fragment);
    let at = source.indexOf(fragment, from);
    for (let seen = 0; seen < before && at >= 0; seen++) at = source.indexOf(fragment, at + 1);
    return at < 0 ? start : whereIs(source, at, start.file);
  };
}

function countOccurrences(text: string, fragment: string): number {
  let count = 0;
  for (let at = text.indexOf(fragment); at >= 0; at = text.indexOf(fragment, at + 1)) count += 1;
  return count;
}

function offsetOf(source: string, { line = 1, column = 1 }: Where): number {
  let offset = 0;
  for (let at = 1; at < line; at++) offset = source.indexOf("\n", offset) + 1;
  return offset + column - 1;
}

/** Line and column of an offset, both from 1. */
export function whereIs(source: string, offset: number, file: string): Where {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { file, line: before.split("\n").length, column: offset - lineStart + 1 };
}
