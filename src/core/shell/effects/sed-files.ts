// Files of sed: those it edits, and those that its script names.
import type { ShellWord } from "../simple-command.ts";
import type { FileUse } from "./file-effect.ts";
import { readOptions } from "./read-options.ts";

/** Behind the letter a space may be left out; whatever else looks so names no file that matters. */
const SED_FILE = /(?<=^|[\s;{}/|#,0-9$gpIeEmM!])[wWrR][ \t]*([^\s;}]+)/g;
const MAX_SED_FILES = 50;
/** The files that a script of sed reads and writes. */
export const sedFiles = (script: string): string[] =>
  [...script.matchAll(SED_FILE)].map(([, name = ""]) => name);
const MAX_SED_SCRIPT = 4_096;

/** The script is the first operand unless an option gave it; with `-i` the files are written. */
export function sedUses(words: readonly ShellWord[]): FileUse[] {
  const { operands, values, options } = readOptions(words, {
    valued: "efl",
    valuedLong: ["expression", "file", "line-length"],
  });
  const scripts = values.filter(({ option }) => /^(-e|-f|--e|--fi)/.test(option));
  const files = scripts.length > 0 ? operands : operands.slice(1);
  const script = scripts.length > 0 ? scripts.map(({ word }) => word) : operands.slice(0, 1);
  const writes = options.some((each) => /^(-i|--in-?p)/.test(each));
  // `w file`, `r file` and `e` name files inside the script.
  const named = script.flatMap((word): FileUse[] => {
    const names = sedFiles(word.text.slice(0, MAX_SED_SCRIPT));
    const isRead = word.text.length <= MAX_SED_SCRIPT && names.length <= MAX_SED_FILES;
    // A script that is too long to be read may name any file.
    if (!isRead) return [{ access: "write", word: { text: "sed's script", kind: "open" } }];
    return names.flatMap((name): FileUse[] => {
      const found: ShellWord = { ...word, text: name };
      return [
        { access: "write", word: found, isPossible: true },
        { access: "read", word: found, isPossible: true },
      ];
    });
  });
  return [
    ...values.flatMap(({ option, word }): FileUse[] =>
      /^(-f|--fi)/.test(option) ? [{ access: "read", word }] : [],
    ),
    ...files.flatMap((word): FileUse[] => [
      { access: "read", word },
      ...(writes ? [{ access: "write", word } as const] : []),
    ]),
    ...named,
  ];
}
