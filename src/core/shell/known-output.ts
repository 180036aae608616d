// Substitutions whose output is known without running them. What everybody has in their start-up files (`eval "$(ssh-agent -s)"`)
// sets variables and functions of that program, as the lines of a file that is sourced do.
import { posix } from "node:path";
import { type LineState, START } from "./line-state.ts";
import type { ShellWord, SimpleCommand } from "./simple-command.ts";

const PROGRAMS = [
  // Behind its options stands a program that it would run.
  "ssh-agent(?=(?: -[a-zA-Z]{1,3}| \\d{1,9}[smhdw]?){0,6}\\s?[)`])",
  ...["dircolors", "brew shellenv", "fnm env", "opam env", "keychain --eval", "luarocks path"],
  ...["direnv (?:hook|export)", "(?:rb|py|nod|j|go|ph|pl)env (?:virtualenv-)?init"],
  ...[
    "conda shell\\.\\w{1,20} hook",
    "(?:micro)?mamba shell hook",
    "(?:mise|rtx) (?:activate|env|hook-env)",
  ],
  ...["(?:starship|zoxide|atuin|oh-my-posh) init", "minikube docker-env", "docker-machine env"],
  "(?:kubectl|helm|gh|glab|docker|npm|pnpm|pip3?|deno|minikube|kind|k3d|flux|rustup|just|poetry) completions?",
].join("|");

/** Plain words only: a substitution, a pipe or another command may print anything. */
const KNOWN = new RegExp(
  `^(?:\\$\\(|<\\(|\`)\\s?(?:${PROGRAMS})(?: [\\w./=@:,+-]{1,80}){0,8}\\s?(?:\\)|\`)$`,
);

export const isKnownOutput = (text: string): boolean => KNOWN.test(text);

/** By a function, an alias or another search path the same name is another program; a `.` with nothing behind it is a folder. */
const REDEFINES =
  /\(\s*\)|\b(?:function|functions|alias|aliases|hash|enable|PATH|BASH_ENV)\b|\\[xu0-7]|(?:^|[\s;&|])\.[ \t]+(?![ \t;)\n|]|&&|$)/;

/** Whether a program that is known by its name may be somebody else's in this line. */
export const mayRedefine = (line: string): boolean => REDEFINES.test(line);

// `$(mktemp -d)` is a path that nobody has used yet. What stands in for it is written as `mktemp` writes its templates.

export const TEMPORARY_PATH = "/tmp/tmp.XXXXXXXXXX";
/** No name of a variable: it says in the state of a line that `mktemp` is the one everybody has. */
const TEMPORARY = "$(mktemp)";
/** `-p` and a template without a folder make it somewhere else. */
const MAKES_TEMPORARY =
  /^(?:\$\(|`)\s*mktemp(?: -(?:[dqu]{1,3}|-directory|-quiet))?(?: "?\/tmp\/[\w.-]{0,60}X{3,}[\w.-]{0,20}"?| -t "?[\w.-]{1,60}"?)?\s*(?:\)|`)$/;
/** Where it fails, or makes it elsewhere, the value is another. */
const MISLEADS = /\bTMPDIR\b|\bulimit\b/;

/** The same of `seq`. */
const COUNTED = "$(seq)";
const COUNTS = /^(?:\$\(|`)\s*seq(?: (\d{1,3}))? (\d{1,3})\s*(?:\)|`)$/;

// Folders that are known to who knows where the line begins: `$(pwd)`, and the root of the repository.

/** Where a line begins, as far as that was looked up. */
export interface LinePlace {
  readonly folder: string;
  /** What `git rev-parse --show-toplevel` prints there. */
  readonly workTree?: string;
}

const BEGINNING = "$(pwd) of the beginning";
const WORKING = "$(pwd)";
const WORK_TREE = "$(git rev-parse --show-toplevel)";
const PRINTS_WORKING = /^(?:\$\(|`)\s*pwd\s*(?:\)|`)$/;
const PRINTS_WORK_TREE =
  /^(?:\$\(|`)\s*git rev-parse --show-toplevel(?: 2>\s?\/dev\/null)?(?: \|\| (?:pwd|echo "?(?:\.|\$PWD)"?))?\s*(?:\)|`)$/;
/** By these the root is another one than that which was looked up. */
const MOVES_WORK_TREE = /GIT_|work-?tree|\binit\b|\.git\b/i;
/** A shell makes several words of it, or names of files. */
const IS_SPLIT = /[\s*?[\\]/;

export function startFor(line: string, place: LinePlace | null): LineState {
  if (!/mktemp|seq|pwd|show-toplevel/i.test(line)) return START;
  const variables = new Map<string, ShellWord>();
  const note = (name: string, text: string) => variables.set(name, { text, kind: "literal" });
  if (place !== null) note(BEGINNING, place.folder);
  if (mayRedefine(line)) return { ...START, variables };
  if (line.includes("mktemp") && !MISLEADS.test(line)) note(TEMPORARY, TEMPORARY_PATH);
  for (const [name, marker] of [
    ["seq", COUNTED],
    ["pwd", WORKING],
  ] as const)
    if (line.includes(name)) note(marker, name);
  const { workTree } = place ?? {};
  if (workTree !== undefined && !MOVES_WORK_TREE.test(line) && !IS_SPLIT.test(workTree))
    note(WORK_TREE, workTree);
  return { ...START, variables };
}

/** Whether an expansion makes what `$PWD` holds. */
export const printsFolder = (expansion: string, { variables }: LineState): boolean =>
  PRINTS_WORKING.test(expansion) && Boolean(variables.get(WORKING));

/** The text of a word that is open, as `"$(pwd):/app"`: `$PWD` and `$HOME` in it are what they are for everybody. */
export function namingFolder(text: string, { variables }: LineState): string {
  const named = variables.get(WORKING) ? text.replaceAll(ASKS_FOLDER, () => "$PWD") : text;
  return named.replaceAll(NAMES_FOLDER, (whole, name: string) =>
    variables.get(name) === null ? `\${${name}-}` : whole,
  );
}

const ASKS_FOLDER = /\$\(\s?pwd\s?\)|`\s?pwd\s?`/g;
const NAMES_FOLDER = /\$\{?(HOME|PWD)\b\}?/g;

/** The state in which a value is read: what `$PWD` put into it stays as it was when the line goes elsewhere. */
export function withFolder(state: LineState): LineState {
  if (state.variables.has("PWD")) return state;
  return { ...state, variables: new Map(state.variables).set("PWD", currentFolder(state)) };
}

function currentFolder({ variables, folders }: LineState): ShellWord | null {
  const [folder, another] = folders;
  if (folder === undefined || folder === null || another !== undefined) return null;
  if (/^[~/]/.test(folder)) return { text: folder, kind: "literal" };
  const beginning = variables.get(BEGINNING) ?? null;
  return beginning && { text: posix.join(beginning.text, folder), kind: "literal" };
}

/** The numbers that `$(seq 1 5)` prints; null where it is no such expansion. */
export function countedTexts(
  expansion: string,
  { variables }: LineState,
): readonly string[] | null {
  const [, from = "1", to] = COUNTS.exec(expansion) ?? [];
  if (to === undefined || !variables.get(COUNTED)) return null;
  const length = Math.max(0, Number(to) - Number(from) + 1);
  return Array.from({ length }, (_, index) => String(Number(from) + index));
}

/** The text that an expansion makes; null where only the shell knows. */
export function knownText(expansion: string, { variables, folders }: LineState): string | null {
  if (PRINTS_WORK_TREE.test(expansion))
    return folders.join() === START.folders.join()
      ? (variables.get(WORK_TREE)?.text ?? null)
      : null;
  if (/^\$\{TMPDIR:-\/tmp\}$/.test(expansion)) return variables.has("TMPDIR") ? null : "/tmp";
  return MAKES_TEMPORARY.test(expansion) ? (variables.get(TEMPORARY)?.text ?? null) : null;
}

/** Names that the line gives an alias and then calls: what they run is no longer what they say. */
export function aliasedCalls(commands: readonly SimpleCommand[]): string[] {
  const aliases = new Set<string>();
  for (const { words } of commands)
    if (words[0]?.text === "alias")
      for (const { text } of words.slice(1)) aliases.add(text.split("=", 1)[0] ?? "");
  if (aliases.size === 0) return [];
  return commands.flatMap(({ words: [first], form }) =>
    form !== "base-name" && first !== undefined && aliases.has(first.text) ? [first.text] : [],
  );
}
