// What a line does to files, as far as its words tell. Pure: nothing is looked up, so a word may name a folder, a link
// or nothing.
//   for (const effect of line.commands.flatMap(effectsOf)) …
// A word of kind `open` is a file that cannot be known; one of kind `glob` stands for many.
import type { FoundFiles, ShellWord, SimpleCommand } from "../simple-command.ts";
import { type FileEffect, type FileUse, possibleUses } from "./file-effect.ts";
import { treeOfVariable } from "./git-tree.ts";
import { PROGRAM_FILES } from "./program-files.ts";

/** The files a command touches by its program, its words and its redirections. What a wrapper runs is another command. */
export function effectsOf(command: SimpleCommand): FileEffect[] {
  const uses = [
    ...usesOfProgram(command),
    ...usesOfRedirections(command),
    ...usesOfVariables(command),
  ];
  const { folders, found } = command;
  return uses
    .flatMap((use) => (found === null ? [use] : putInFound(use, found)))
    .map((use) => ({ ...DEFAULTS, folders, ...use }));
}

const DEFAULTS = {
  ...{
    isRecursive: false,
    isPossible: false,
    isUnpacked: false,
    isPart: false,
    names: null,
    skips: null,
  },
} as const;

/** `find src -exec cat {} +` reads what is below `src`. */
function putInFound(use: FileUse, { roots, names, skips, isPart = false }: FoundFiles): FileUse[] {
  if (use.word.kind !== "open" || !use.word.text.includes("{}")) return [use];
  const { word: given } = use;
  // `xargs -I% cat .%nv`: what is fed may be a part of the name.
  const parts = given.text === "{}" ? [] : roots.map((word) => put(given, word));
  return [
    ...roots.map((word) => ({
      ...use,
      word,
      names,
      isPart,
      ...(skips === undefined ? {} : { skips }),
      isRecursive: true,
    })),
    // Beside the folder itself it says nothing of what else is written there.
    ...parts.map((word) => ({ ...use, word, ...(use.access === "write" ? MAYBE : {}) })),
  ];
}

const MAYBE = { isPossible: true } as const;

const put = ({ text }: ShellWord, part: ShellWord): ShellWord => ({
  ...part,
  text: text.replaceAll("{}", () => part.text),
});

function usesOfRedirections({ redirections, words }: SimpleCommand): FileUse[] {
  return redirections.flatMap((redirection): FileUse[] => {
    if (redirection.kind === "text") return [];
    const { target: word, writes } = redirection;
    // `>! file` of zsh: the file stands among the words.
    if (writes && word.text === "!")
      return words.slice(1).map((each) => ({ access: "write", word: each }));
    return [{ access: writes ? "write" : "read", word }];
  });
}

/** A shell that is started runs the file that the first two name before anything else. */
const usesOfVariables = ({ assignments, words }: SimpleCommand): FileUse[] =>
  assignments.flatMap(({ name, value }): FileUse[] => {
    if (name === "HISTFILE")
      return (["read", "write"] as const).map((access) => ({ access, word: value }));
    if (name === "BASH_ENV" || name === "ENV")
      return (["read", "execute"] as const).map((access) => ({ access, word: value }));
    if (name === "NODE_OPTIONS") return loadedBy(value);
    if (name === "GIT_WORK_TREE") return treeOfVariable(value, words);
    // `PIP_CONFIG_FILE=x pip …`: a variable that a program is given may name a file for it.
    const isGiven = words.length > 0 && value.kind === "literal" && value.text !== "";
    return isGiven ? [{ access: "read", word: value, isPossible: true }] : [];
  });

/** `NODE_OPTIONS='--require ./x.js'`. */
const loadedBy = ({ text, kind }: ShellWord): FileUse[] =>
  [...text.slice(0, 4_096).matchAll(/(?:^|\s)(?:-r|--require|--import|--loader)[=\s](\S+)/g)].map(
    ([, file = ""]) => ({ access: "execute", word: { text: file, kind } }),
  );

function usesOfProgram(command: SimpleCommand): FileUse[] {
  const [first, ...words] = command.words;
  if (first === undefined) return [];
  const name = first.kind === "literal" ? first.text : "";
  // The command stands in the list a second time under its plain name.
  const isSystem = SYSTEM_FOLDER.test(name);
  if (isSystem) return [];
  const runs: FileUse[] = name.includes("/") ? [{ access: "execute", word: first }] : [];
  const files = PROGRAM_FILES.get(name);
  // `xargs cat`: more files are named elsewhere.
  const all = command.takesMoreWords ? [...words, ADDED] : words;
  return [...runs, ...(files === undefined ? possibleUses(all) : files(all, command.folders))];
}

const ADDED: ShellWord = { text: "{}", kind: "open" };
const SYSTEM_FOLDER = /^\/(usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\//;
