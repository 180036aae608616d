// What could stand at the cursor. Pure: words and summaries in, candidates out; nothing is run.
import {
  type Argument,
  choicesOf,
  listSchemaArguments,
  positionalsOf,
  restOf,
} from "../../command/arguments.ts";
import type { CommandSummary } from "../../command/definition.ts";
import {
  commonFlagsOf,
  PROGRAM_FLAGS,
  type ProgramFlag,
  spellingsOf,
} from "../../command/program-flags.ts";
import { COLOR_CHOICES } from "../../terminal/color.ts";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell should offer files as well. */
  readonly files: boolean;
}

/** What completion knows of the registry. */
export interface CommandLookup {
  readonly names: () => readonly Candidate[];
  readonly summaryOf: (name: string) => CommandSummary | null;
}

const NO_CANDIDATES: Completion = { candidates: [], files: false };
const FILES_ONLY: Completion = { candidates: [], files: true };

/** `words[0]` is the program; the cursor stands in `words[index]`. */
export function completeWords(
  words: readonly string[],
  index: number,
  view: CommandLookup,
): Completion {
  const current = words[index] ?? "";
  const found = completeAny(words.slice(1, index), current, view);
  const fitting = found.candidates.filter(({ value }) => value.startsWith(current));
  return { candidates: fitting, files: found.files };
}

function completeAny(before: readonly string[], current: string, view: CommandLookup): Completion {
  const position = findCommand(before);
  if (position.kind === "flag-value") return valuesOfProgramFlag(position.flag);
  if (position.kind === "command")
    return completeArguments(position.name, position.words, { current, view });
  if (current.startsWith("-") && position.isOpen)
    return offerCandidates(PROGRAM_FLAGS.map(asCandidate));
  const run = { value: "run", description: "run a command, whatever its name" };
  return offerCandidates([...view.names(), ...(position.isOpen ? [run] : [])]);
}

function valuesOfProgramFlag({ value }: ProgramFlag): Completion {
  if (value === "when")
    return offerCandidates(COLOR_CHOICES.map((choice) => ({ value: choice, description: "" })));
  return value === "folder" ? FILES_ONLY : NO_CANDIDATES;
}

const offerCandidates = (candidates: readonly Candidate[]): Completion => ({
  candidates,
  files: false,
});

const asCandidate = ({ flag, description }: ProgramFlag): Candidate => ({
  value: `--${flag}`,
  description,
});

type CursorPosition =
  | { readonly kind: "name"; readonly isOpen: boolean }
  | { readonly kind: "flag-value"; readonly flag: ProgramFlag }
  | { readonly kind: "command"; readonly name: string; readonly words: readonly string[] };

/** Skips the program's own flags, and `run`, which only says that a name follows. */
function findCommand(before: readonly string[]): CursorPosition {
  let at = 0;
  for (; at < before.length; at++) {
    const word = before[at] ?? "";
    if (!word.startsWith("-")) break;
    const flag = findValued(PROGRAM_FLAGS, word);
    if (flag === undefined) continue;
    at += 1;
    if (at >= before.length) return { kind: "flag-value", flag };
  }
  const [first, ...rest] = before.slice(at);
  if (first === undefined) return { kind: "name", isOpen: true };
  if (first !== "run") return { kind: "command", name: first, words: rest };
  const [name, ...words] = rest;
  return name === undefined ? { kind: "name", isOpen: false } : { kind: "command", name, words };
}

/** The one that takes the next word for its value. */
const findValued = (flags: readonly ProgramFlag[], word: string): ProgramFlag | undefined =>
  flags.find((one) => one.value !== null && spellingsOf(one).includes(word));

interface Cursor {
  readonly current: string;
  readonly view: CommandLookup;
}

function completeArguments(name: string, words: readonly string[], cursor: Cursor): Completion {
  const summary = cursor.view.summaryOf(name);
  // Without a schema nothing is known of the words; most often they are files.
  if (summary === null || summary.schema === null) return FILES_ONLY;
  const known = listSchemaArguments(summary.schema);
  const { current, view } = cursor;
  const isClosed = words.includes("--");
  const previous = words.at(-1) ?? "";
  const waiting = isClosed || previous.includes("=") ? undefined : findFlag(known, previous);
  if (waiting !== undefined && waiting.type !== "boolean") return valuesOf(waiting, view);
  const common = commonFlagsOf(known);
  const asked = isClosed ? undefined : findValued(common, previous);
  if (asked !== undefined) return valuesOfProgramFlag(asked);
  const sign = current.indexOf("=");
  if (!isClosed && current.startsWith("--") && sign > 0) {
    const flag = current.slice(0, sign);
    return inlineValues(flag, completeValue(flag, { known, common, view }));
  }
  if (!isClosed && current.startsWith("-"))
    return offerCandidates(flagCandidates(known, common, words));
  const count = countPositionals(known, common, words);
  const argument = positionalsOf(known)[count] ?? restOf(known);
  return argument === undefined ? NO_CANDIDATES : valuesOf(argument, view);
}

const findFlag = (known: readonly Argument[], word: string): Argument | undefined =>
  known.find(
    ({ flag, schema }) =>
      typeof schema.positional !== "number" &&
      (word === `--${flag}` || (schema.short !== undefined && word === `-${schema.short}`)),
  );

function valuesOf({ schema, type }: Argument, view: CommandLookup): Completion {
  if (schema.command === true) return offerCandidates(view.names());
  const choices = choicesOf(schema) ?? (type === "boolean" ? ["true", "false"] : null);
  if (choices !== null)
    return offerCandidates(choices.map((value) => ({ value, description: "" })));
  return schema.file === true ? FILES_ONLY : NO_CANDIDATES;
}

interface KnownFlags {
  readonly known: readonly Argument[];
  readonly common: readonly ProgramFlag[];
  readonly view: CommandLookup;
}

function completeValue(flag: string, { known, common, view }: KnownFlags): Completion {
  const argument = findFlag(known, flag);
  if (argument !== undefined) return valuesOf(argument, view);
  const valued = findValued(common, flag);
  return valued === undefined ? NO_CANDIDATES : valuesOfProgramFlag(valued);
}

const inlineValues = (flag: string, { candidates, files }: Completion): Completion => ({
  candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })),
  files,
});

/** A flag that is there already is not offered again, unless it may be repeated. */
function flagCandidates(
  known: readonly Argument[],
  common: readonly ProgramFlag[],
  words: readonly string[],
): Candidate[] {
  const given = new Set(words.map((word) => word.split("=")[0]));
  const own = known
    .filter(({ schema }) => typeof schema.positional !== "number")
    .filter(({ schema }) => schema.unknownFlags !== true)
    .filter(({ flag, isList }) => isList || !given.has(`--${flag}`))
    .map(({ flag, schema }) => ({ value: `--${flag}`, description: schema.description ?? "" }));
  return [...own, ...common.map(asCandidate).filter(({ value }) => !given.has(value))];
}

function countPositionals(
  known: readonly Argument[],
  common: readonly ProgramFlag[],
  words: readonly string[],
): number {
  let count = 0;
  let isClosed = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!isClosed && word === "--") isClosed = true;
    else if (isClosed || !word.startsWith("-") || word === "-") count += 1;
    else if ((findFlag(known, word)?.type ?? "boolean") !== "boolean") at += 1;
    else if (findValued(common, word) !== undefined) at += 1;
  }
  return count;
}

/** Bash breaks words at `=`: `--type=x` reaches a completion as three of them. */
interface RejoinedWords {
  readonly words: readonly string[];
  readonly index: number;
  /** What stands before the piece that bash itself completes. */
  readonly cut: string;
}

/** Puts the pieces together again. */
export function rejoinWords(pieces: readonly string[], cursor: number): RejoinedWords {
  const words: string[] = [];
  let index = 0;
  let cut = "";
  for (const [at, piece] of pieces.entries()) {
    const last = words.at(-1) ?? "";
    const isJoined = piece === "=" ? last.startsWith("--") : /^--[^=]+=$/.test(last);
    if (isJoined) words[words.length - 1] = last + piece;
    else words.push(piece);
    if (at !== cursor) continue;
    index = words.length - 1;
    // With the cursor right behind `=`, bash completes an empty word after it.
    cut = isJoined ? last + (piece === "=" ? "=" : "") : "";
  }
  return { words, index, cut };
}
