// How a program uses its operands, said by a rule instead of by code.
import { HERE, type ShellWord } from "../simple-command.ts";
import type { FileAccess, FileEffect, FileUse } from "./file-effect.ts";
import { type OptionReading, type OptionTable, readOptions } from "./read-options.ts";

export interface FileRule extends OptionTable {
  readonly operands:
    | FileAccess
    | "none"
    /** The first is no file unless an option gave the pattern. */
    | "pattern"
    | "read-then-write"
    | "all-but-first-written"
    /** The last is written, or the folder that an option names. */
    | "copy"
    | "move"
    | "link";
  /** Options whose value is a file. */
  readonly files?: Readonly<Record<string, FileAccess>>;
  /** Options whose value is a file that names files, which are known only when it is read. */
  readonly lists?: readonly string[];
  /** Options that give the pattern, so that every operand is a file. */
  readonly pattern?: readonly string[];
  /** Options that name the folder to write into. */
  readonly target?: readonly string[];
  /** Options whose value is a glob on the names of files. */
  readonly names?: readonly string[];
  /** Options by which names are told and nothing that is inside. */
  readonly listing?: readonly string[];
  /** Options by which folders are gone into. */
  readonly recursive?: readonly string[];
  readonly isRecursive?: boolean;
  readonly skips?: FileEffect["skips"];
  /** Options by which nothing is skipped any more. */
  readonly unskipped?: readonly string[];
}

/** The folders are those in which the command may run. */
export type UsesOf = (
  words: readonly ShellWord[],
  folders: readonly (string | null)[],
) => FileUse[];

export const rowsOf = (names: string, uses: UsesOf): [string, UsesOf][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, uses]);

export function usesBy(rule: FileRule): UsesOf {
  const table = optionTable(rule);
  return (words) => {
    const reading = readOptions(words, table);
    return [...usesOfValues(reading, rule), ...usesOfOperands(reading, rule)];
  };
}

/** Options that name files, patterns and folders have values too. */
function optionTable({ valued = "", valuedLong = [], ...rule }: FileRule): OptionTable {
  const named = [
    ...Object.keys(rule.files ?? {}),
    ...(rule.lists ?? []),
    ...(rule.names ?? []),
    ...(rule.target ?? []),
  ];
  const all = [
    ...named,
    ...(rule.pattern ?? []).filter((each) => /^(-e|-f|--regexp|--file|--expression)$/.test(each)),
  ];
  const short = all.filter((each) => !each.startsWith("--")).map((each) => each.slice(1));
  const long = all.filter((each) => each.startsWith("--")).map((each) => each.slice(2));
  return { valued: valued + short.join(""), valuedLong: [...valuedLong, ...long] };
}

/** A file that is named elsewhere. */
export const LISTED: ShellWord = { text: "{}", kind: "open" };

/** A value of an option that is not known may be a file. */
function usesOfValues({ values }: OptionReading, { files = {}, ...rule }: FileRule): FileUse[] {
  return values.flatMap(({ option, word }): FileUse[] => {
    // `--exclude` is an option of its own, and none cut short.
    const isWhole = rule.valuedLong?.includes(option.slice("--".length)) === true;
    const known = isWhole ? undefined : Object.keys(files).find((each) => isOption(option, each));
    if (known !== undefined) return [{ access: files[known] ?? "write", word }];
    if (rule.lists?.some((each) => isOption(option, each)) === true)
      return [word, LISTED].map((each) => ({ access: "read", word: each }));
    const table = optionTable({ ...rule, files });
    const isOther = option.startsWith("--")
      ? table.valuedLong?.some((each) => each.startsWith(option.slice(2)))
      : table.valued?.includes(option.slice(1));
    // `-f` of one program takes a value, `-f` of its sibling does not: the next word may be a file all the same.
    const mayBeFile = rule.operands === "read" && !/^[+-]?\d+$/.test(word.text);
    if (isOther === true) return mayBeFile ? [{ access: "read", word, isPossible: true }] : [];
    return (["read", "write"] as const).map((access) => ({ access, word, isPossible: true }));
  });
}

/** GNU programs accept a long option cut short. */
const isOption = (given: string, known: string): boolean =>
  given === known || (given.length > 3 && given.startsWith("--") && known.startsWith(given));

function usesOfOperands(reading: OptionReading, rule: FileRule): FileUse[] {
  const { options, values } = reading;
  const has = (wanted: readonly string[] | undefined): boolean =>
    wanted?.some((known) => options.some((given) => isOption(given, known))) === true;
  const names = values.flatMap(({ option, word }) =>
    rule.names?.includes(option) === true && !word.text.startsWith("!") ? [word.text] : [],
  );
  const isDirected = values.some(
    ({ option, word }) => /^(-d|--directories)$/.test(option) && word.text === "recurse",
  );
  const isRecursive = rule.isRecursive === true || has(rule.recursive) || isDirected;
  const common = {
    isRecursive,
    names: names.length > 0 ? names : null,
    // A glob of names brings back what would be passed over.
    skips: names.length > 0 || has(rule.unskipped) ? null : (rule.skips ?? null),
  };
  return assign(reading, rule, { has, isRecursive }).map((use) => ({ ...common, ...use }));
}

interface RuleContext {
  readonly has: (wanted: readonly string[] | undefined) => boolean;
  readonly isRecursive: boolean;
}

function assign(
  { operands, values, options }: OptionReading,
  rule: FileRule,
  { has, isRecursive }: RuleContext,
): FileUse[] {
  const all = (access: FileAccess, words: readonly ShellWord[]): FileUse[] =>
    words.map((word) => ({ access, word }));
  const target = values.find(({ option }) =>
    rule.target?.some((each) => isOption(option, each)),
  )?.word;
  switch (rule.operands) {
    case "none":
      return [];
    case "pattern": {
      const files = has(rule.pattern) ? operands : operands.slice(1);
      const access = has(rule.listing) ? "list" : "read";
      return all(access, files.length === 0 && isRecursive ? [HERE] : files);
    }
    case "read-then-write":
      return [...all("read", operands.slice(0, 1)), ...all("write", operands.slice(1))];
    case "all-but-first-written":
      // `chmod -x file`: the mode looks like an option.
      return all(
        "write",
        has(["--reference"]) || options.some((each) => /^-[rwxXst]$/.test(each))
          ? operands
          : operands.slice(1),
      );
    case "copy":
    case "move":
    case "link": {
      const named = target === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
      // `cp -rT from to` puts what is in `from` beside what is in `to`, as `cp -r from/. to` does.
      const sources =
        has(["-T", "--no-target-directory"]) && isRecursive ? named.map(inFolder) : named;
      const into = target ?? (operands.length > 1 ? operands.at(-1) : HERE);
      const kept =
        rule.operands === "link" && !options.some((each) => each === "-s" || each === "--symbolic");
      return [
        ...all("read", sources),
        // `mv --exchange a b` moves both.
        ...(rule.operands === "move"
          ? all("delete", has(["--exchange"]) ? operands : sources)
          : []),
        ...(kept ? all("write", sources) : []),
        ...(into === undefined ? [] : sources.flatMap((source) => intoFolder(source, into))),
      ];
    }
    default:
      return all(rule.operands, operands);
  }
}

const inFolder = ({ text, kind }: ShellWord): ShellWord => ({ text: `${text}/.`, kind });

/** `cp a/b c` writes `c`, or `c/b` where `c` is a folder. */
function intoFolder(source: ShellWord, into: ShellWord): FileUse[] {
  if (into.text.length > MAX_TARGET_LENGTH) return [{ access: "write", word: into }];
  const base = trimSlashes(source.text).split("/").pop() ?? "";
  const kind = [source, into].find(({ kind: each }) => each !== "literal")?.kind ?? "literal";
  const inside: ShellWord = { text: `${trimSlashes(into.text)}/${base}`, kind };
  return [
    { access: "write", word: into },
    { access: "write", word: inside },
  ];
}

const MAX_TARGET_LENGTH = 4_096;

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}
