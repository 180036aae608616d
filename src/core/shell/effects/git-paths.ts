// What a word of git's that may be a path stands for.
import { HERE, type ShellWord } from "../simple-command.ts";
import type { FileUse } from "./file-effect.ts";

/** `-- '*.txt'`: git itself finds them, in every folder below. */
export const asNames = (word: ShellWord): Pick<FileUse, "word" | "names"> =>
  word.kind === "literal" && /[*?[]/.test(word.text)
    ? { word: HERE, names: [word.text] }
    : { word };

/** `HEAD:a/b`, `:a`, `:0:a`, `:(top)a`. */
export function pathInRevision(word: ShellWord): ShellWord {
  const path =
    /^:\([^)]*\)(.*)$/s.exec(word.text)?.[1] ?? /^[^:]*:(?:[0-3]:|\/)?(.+)$/s.exec(word.text)?.[1];
  return path === undefined ? word : { ...word, text: path };
}
