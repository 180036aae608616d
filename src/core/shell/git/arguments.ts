// The words behind a git subcommand, read as git reads them: bundled letters, long options cut short, values.
import { NAME_GLOB, type ShellWord } from "../simple-command.ts";

/**
 * The options of a subcommand, parted by spaces: `f|force` is `-f` and `--force`; `=` takes a value, `?` may have one
 * attached, `#` is a number for a letter. `--no-` is understood of every long one.
 */
export type GitOptionTable = string;

export interface GitArguments {
  /** Whether one of these was given; long names as they are, letters where there is no long one. */
  has(...names: readonly string[]): boolean;
  values(name: string): readonly string[];
  /** All that were given, named as for `has`. */
  readonly names: readonly string[];
  /** What is no option, before `--`. */
  readonly operands: readonly string[];
  /** What stands behind `--`; null without it. */
  readonly paths: readonly string[] | null;
  /** Options that the table does not have. */
  readonly unknown: readonly string[];
  /** A word that may be an option once it is expanded, or that words are added later; null where all can be read. */
  readonly hidden: string | null;
}

interface Option {
  readonly letter: string | null;
  readonly long: string | null;
  readonly value: "none" | "needed" | "attached";
}

const TABLES = new Map<GitOptionTable, readonly Option[]>();

function readTable(table: GitOptionTable): readonly Option[] {
  const known = TABLES.get(table);
  if (known !== undefined) return known;
  const options = table.split(/\s+/).filter(Boolean).map(readOption);
  TABLES.set(table, options);
  return options;
}

function readOption(text: string): Option {
  const value = text.endsWith("=") ? "needed" : text.endsWith("?") ? "attached" : "none";
  const names = text.replace(/[=?]$/, "").split("|");
  return {
    letter: names.find((name) => name.length === 1) ?? null,
    long: names.find((name) => name.length > 1) ?? null,
    value,
  };
}

interface Draft {
  readonly options: readonly Option[];
  readonly given: Map<string, string[]>;
  readonly operands: string[];
  readonly unknown: string[];
  paths: string[] | null;
}

export const ADDED_WORDS = "words that are added";

export function readGitArguments(
  words: readonly ShellWord[],
  table: GitOptionTable,
  takesMoreWords: boolean,
): GitArguments {
  const options = readTable(table);
  const draft: Draft = { options, given: new Map(), operands: [], unknown: [], paths: null };
  let hidden: string | null = takesMoreWords ? ADDED_WORDS : null;
  let endsOptions = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    if (draft.paths !== null) draft.paths.push(word.text);
    else if (word.text === "--") draft.paths = [];
    else if (word.text === "--end-of-options") endsOptions = true;
    else if (endsOptions || !/^-./.test(word.text)) {
      if (!endsOptions && mayBeOption(word)) hidden ??= word.text;
      draft.operands.push(word.text);
    } else if (takeOption(word.text, words[index + 1]?.text, draft)) index++;
  }
  const { given, operands, unknown, paths } = draft;
  return {
    has: (...names) => names.some((name) => given.has(name)),
    values: (name) => given.get(name) ?? [],
    names: [...given.keys()],
    operands,
    paths,
    unknown,
    hidden,
  };
}

const mayBeOption = ({ text, kind }: ShellWord): boolean =>
  kind !== "literal" && /^[$`{*?[]/.test(text) && text !== NAME_GLOB;

/** Whether the next word was its value. */
const takeOption = (word: string, next: string | undefined, draft: Draft): boolean =>
  word.startsWith("--") ? takeLong(word, next, draft) : takeLetters(word, next, draft);

function note({ given }: Draft, { long, letter }: Option, value: string | null): void {
  const name = long ?? letter ?? "";
  const values = given.get(name) ?? [];
  given.set(name, values);
  if (value !== null) values.push(value);
}

function takeLong(word: string, next: string | undefined, draft: Draft): boolean {
  const [, name = "", inline = null] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  // Cut short, it may be each that begins so; git refuses where that is more than one.
  const exact = draft.options.filter(({ long }) => long === name);
  const begun = draft.options.filter(({ long }) => long?.startsWith(name) === true);
  const meant = exact.length > 0 ? exact : begun;
  if (meant.length === 0) {
    if (!takeBack(name, draft)) draft.unknown.push(word);
    return false;
  }
  for (const option of meant) {
    const takesNext = option.value === "needed" && inline === null;
    note(draft, option, takesNext ? (next ?? "") : inline);
  }
  return inline === null && meant.every(({ value }) => value === "needed");
}

/** `-n --no-dry-run` is as if neither had been given; false where nothing that is known can be meant. */
function takeBack(name: string, { options, given }: Draft): boolean {
  const positive = /^no-?(.*)$/.exec(name)?.[1];
  if (positive === undefined) return false;
  const begun = options.flatMap(({ long }) => (long?.startsWith(positive) === true ? [long] : []));
  const [only] = begun;
  // Git refuses what is cut short to more than one.
  if (begun.includes(positive)) given.delete(positive);
  else if (only !== undefined && begun.length === 1) given.delete(only);
  return only !== undefined;
}

function takeLetters(word: string, next: string | undefined, draft: Draft): boolean {
  for (let index = 1; index < word.length; index++) {
    const rest = word.slice(index + 1);
    const letter = /\d/.test(word[index] ?? "") ? "#" : word[index];
    const option =
      draft.options.find((each) => each.letter === word[index]) ??
      draft.options.find((each) => each.letter === letter);
    if (option === undefined) {
      draft.unknown.push(word);
      return false;
    }
    if (option.value === "none") note(draft, option, null);
    else {
      const takesNext = option.value === "needed" && rest === "";
      note(draft, option, takesNext ? (next ?? "") : rest);
      return takesNext;
    }
  }
  return false;
}

const CURRENT_BRANCH =
  /^(?:\$\(|`)\s?git (?:branch --show-current|rev-parse --abbrev-ref HEAD|symbolic-ref (?:-q )?--short (?:-q )?HEAD)\s?[)`](?=$|:[\w./-]+$)/;

export const isCurrentBranch = (text: string): boolean => CURRENT_BRANCH.test(text);

/** The name of the branch that is checked out, which for a push and its like is `HEAD`. */
export function asHead(word: ShellWord): ShellWord {
  if (word.kind !== "open") return word;
  const text = word.text.replace(CURRENT_BRANCH, "HEAD");
  return text === word.text ? word : { text, kind: "literal" };
}
