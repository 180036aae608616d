// What a word of git's that may be a path stands for.
import { HERE, NAME_GLOB, type ShellWord } from "../simple-command.ts";
import type { FileUse } from "./file-effect.ts";

/** `-- '*.txt'`: git itself finds them, in every folder below. */
export const asNames = (word: ShellWord): Pick<FileUse, "word" | "names"> =>
  word.kind === "literal" && /[*?[]/.test(word.text)
    ? { word: HERE, names: [word.text] }
    : { word };

/** `:!src`, `:^src`, `:(exclude)src`: all but that, if nothing else is named. */
const EXCLUDES = /^:(?:[!^]|\/[!^]|\([^)]{0,40}\bexclude\b)/;

/** Beside paths that are named, what is left out of them adds nothing. */
export function meantPaths(paths: readonly ShellWord[]): readonly ShellWord[] {
  const named = paths.filter(({ text }) => !EXCLUDES.test(text));
  return named.length > 0 ? named : paths;
}

/** `:(icase).ENV`: names are not what is written. */
const IGNORES_CASE = /^:\([^)]{0,40}\bicase\b/;

/** A revision ends at the first colon that is not inside of what it is put together from: `$(git rev-parse HEAD:a)`. */
const IN_REVISION = /^(?:[^:({`]|\([^()]*\)|\{[^{}]*\}|`[^`]*`)*:(?:[0-3]:|\/)?(.+)$/s;

/** `HEAD:a/b`, `:a`, `:0:a`, `:(top)a`. */
export function pathInRevision(word: ShellWord): ShellWord {
  if (EXCLUDES.test(word.text) || IGNORES_CASE.test(word.text)) return HERE;
  const path = /^:\([^)]*\)(.*)$/s.exec(word.text)?.[1] ?? IN_REVISION.exec(word.text)?.[1];
  return path === undefined ? word : { ...word, text: path };
}

// The paths of a call as git itself reads them: with marks before them, and as patterns of its own.

type NamedPath = Pick<FileUse, "word"> & Partial<FileUse>;

interface PathWords {
  readonly words: readonly ShellWord[];
  readonly paths: readonly ShellWord[] | null;
  readonly options: readonly string[];
}

/** The paths of a call as git reads them, also those that a file lists. */
export function namedPaths({ words, paths, options }: PathWords): NamedPath[] {
  const listed = options.includes("--pathspec-from-file") ? [{ word: UNKNOWN }] : [];
  const given = words.filter(({ text }) => text !== NAME_GLOB);
  return [...[...given, ...(paths ?? [])].map(readPathspec), ...listed];
}

const UNKNOWN: ShellWord = { text: "{}", kind: "open" };

/** `:/` is the whole tree, `:(glob)a/*.md` has a pattern behind its marks, and `'*.md'` is one that goes into folders. */
function readPathspec(word: ShellWord): NamedPath {
  if (word.kind === "open") return { word, isRecursive: true };
  if (EXCLUDES.test(word.text) || IGNORES_CASE.test(word.text))
    return { word: HERE, isRecursive: true };
  const text = word.text.replace(/^:(\([^)]*\)|[/!^]*)/, "");
  if (word.kind === "glob" || !/[*?[]/.test(text))
    return { word: { ...word, text: text === "" ? "." : text }, isRecursive: true };
  const fixed = /^(?:[^*?[/]*\/)*/.exec(text)?.[0] ?? "";
  const name = text.slice(text.lastIndexOf("/") + 1);
  // Where a folder is a pattern too, whatever is below it may be meant.
  const names = [name === "" || text.slice(fixed.length).includes("/") ? "*" : name];
  return { word: { text: fixed === "" ? "." : fixed, kind: "literal" }, names, isRecursive: true };
}

const LONG_OF: Readonly<Record<string, string>> = { "-n": "dry-run", "-S": "staged" };
/** No option has a longer name. */
const MAX_NAME = 40;

/** The options that no later `--no-` takes back; cut short, it takes back each that begins so. */
export function standingOptions(options: readonly string[]): readonly string[] {
  const back = new Set<string>();
  return options.toReversed().filter((option) => {
    const name = LONG_OF[option] ?? option.slice("--".length, MAX_NAME);
    if (name.startsWith("no-")) back.add(name.slice("no-".length));
    return name.startsWith("no-") || ![...name].some((_, at) => back.has(name.slice(0, at + 1)));
  });
}
