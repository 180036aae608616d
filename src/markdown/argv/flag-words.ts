// A key and its value as words of a command line. It stands apart because the public builder exports
// six names and nothing else.
import type { FrontMatter } from "../../core/project/front-matter.ts";

/** `model` → `--model`, `p` → `-p`, `--model` stays. Nothing else about a key is changed. */
export function flagOfKey(key: string): string {
  if (key.startsWith("-")) return key;
  return key.length === 1 ? `-${key}` : `--${key}`;
}

/** `true` is the flag alone, a list is the flag before each element, and nothing is no words. */
export function flagWords(flag: string, value: unknown): string[] {
  if (isNothing(value)) return [];
  if (value === true) return [flag];
  if (Array.isArray(value)) return value.flatMap((element) => [flag, wordOf(element)]);
  return [flag, wordOf(value)];
}

/** `String(value)`, also for an object whose `toString` is a key of the front matter and cannot be called. */
export function wordOf(value: unknown): string {
  if (Array.isArray(value))
    return value.map((one) => (isNothing(one) ? String(one ?? "") : wordOf(one))).join();
  const isMute = isPlainObject(value) && typeof value.toString !== "function";
  return isMute ? "[object Object]" : String(value);
}

/** A word at a position: as it is, or behind the flag that the position is mapped to. */
export const positionalWords = (name: string | undefined, word: string): string[] =>
  name === undefined ? [word] : [flagOfKey(name), word];

/** `null`, `false` and `undefined` take away what a lower layer set. */
export const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false;

export const isPlainObject = (value: unknown): value is FrontMatter => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
