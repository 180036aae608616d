// Substitutions whose output is known without running them. What everybody has in their start-up files (`eval "$(ssh-agent -s)"`)
// sets variables and functions of that program, as the lines of a file that is sourced do.
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

export function startFor(line: string): LineState {
  if (!/mktemp|seq/.test(line) || mayRedefine(line)) return START;
  const variables = new Map<string, ShellWord>();
  if (line.includes("mktemp") && !MISLEADS.test(line))
    variables.set(TEMPORARY, { text: TEMPORARY_PATH, kind: "literal" });
  if (line.includes("seq")) variables.set(COUNTED, { text: "seq", kind: "literal" });
  return { ...START, variables };
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
export function knownText(expansion: string, { variables }: LineState): string | null {
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
