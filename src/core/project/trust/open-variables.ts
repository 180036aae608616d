// Variables whose names or values a command takes from elsewhere: from a file that it reads, from what another prints. One of
// them may make the next program load anything. Pure.
import type { LineAssignment, ShellWord, SimpleCommand } from "../../shell/simple-command.ts";
import { pathsIn, textOf, type UncoveredRun } from "./command-reading.ts";
import { LOADING_VARIABLES } from "./known-programs.ts";

/** Null where all names are known, and none of them loads anything. */
export function readOpenVariables(command: SimpleCommand): UncoveredRun | null {
  const { words, redirections } = command;
  const open = findOpenNames(words);
  if (open === null) return null;
  const read = redirections.flatMap((each) =>
    each.kind === "file" && !each.writes ? [each.target.text] : [],
  );
  const texts = open.map(({ text }) => text);
  // `export "$l"`: of which file that is shows nowhere.
  const isAnywhere = read.length === 0 && !texts.every((text) => /\$\(|`/.test(text));
  return {
    what: `the variables that \`${textOf(words)}\` takes from elsewhere`,
    isOfProject: true,
    files: [...read, ...texts.flatMap(pathsIn)],
    ...(isAnywhere && { needsFiles: false }),
  };
}

/** The words by which such a variable is set; null where there is none. */
function findOpenNames(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const [name = "", ...rest] = words.map(({ text }) => text);
  const others = words.slice(1);
  if (name === "env") return ifAny(others.slice(0, endOfVariables(others)).filter(hasOpenName));
  if (DECLARING.has(name))
    return ifAny(others.filter((word) => hasOpenName(word) || isAlias(word)));
  if (READING.has(name))
    return ifAny(
      others.filter((word, at) => isLoadingName(word) && !VALUED.test(rest[at - 1] ?? "")),
    );
  const target = name === "printf" && rest[0] === "-v" ? others[1] : undefined;
  return ifAny(others.filter((word) => word === target && isLoadingName(word)));

  /** `declare -n r=NODE_OPTIONS` */
  function isAlias({ text }: ShellWord): boolean {
    const [, value] = /^\w+=(\w+)$/.exec(text) ?? [];
    return value !== undefined && isReference(rest) && LOADING_VARIABLES.test(value);
  }
}

const DECLARING = new Set(["export", "declare", "typeset", "readonly", "local"]);
const READING = new Set(["read", "mapfile", "readarray", "getopts"]);

/** `read -p TEXT`, `mapfile -C CALLBACK`: the next word is no name. */
const VALUED = /^-[a-zA-Z]*[ptnNduisOCc]$/;

const isReference = (args: readonly string[]): boolean =>
  args.some((arg) => /^-[a-zA-Z]*n/.test(arg));

const ifAny = (words: readonly ShellWord[]): readonly ShellWord[] | null =>
  words.length === 0 ? null : words;

/** `$(cat v)` and `$name=x`, but not `NAME=$(…)`. */
const hasOpenName = ({ text, kind }: ShellWord): boolean =>
  kind !== "literal" && !/^(-|[A-Za-z_]\w*(\[[^\]]*\])?\+?=)/.test(text);

const isLoadingName = ({ text, kind }: ShellWord): boolean =>
  kind === "literal" ? LOADING_VARIABLES.test(text) : !text.startsWith("-");

/** Where the program of `env` stands. */
function endOfVariables(words: readonly ShellWord[]): number {
  const at = words.findIndex(({ text, kind }) => kind === "literal" && !/^-|=/.test(text));
  return at === -1 ? words.length : at;
}

/** What stands in a file as `NAME=value`, a line each. */
export const readVariablesFile = (text: string): LineAssignment[] =>
  [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*[=:][ \t]*(.*)$/gm)].map(
    ([, name = "", value = ""]) => ({ name, value: { text: value.trim(), kind: "literal" } }),
  );
