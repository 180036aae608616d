// What could stand at the cursor. Pure: words and summaries in, candidates out; nothing is run.
import { choicesOf } from "../../command/argument-choices.ts";
import type { CommandSummary } from "../../command/command.ts";
import { COMMON_FLAGS, PROGRAM_FLAGS, type ProgramFlag } from "../../command/program-flags.ts";
import {
  type Argument,
  listArguments,
  positionalsOf,
  restOf,
} from "../../command/schema-arguments.ts";

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
export interface CommandView {
  readonly names: () => readonly Candidate[];
  readonly summaryOf: (name: string) => CommandSummary | null;
}

const NOTHING: Completion = { candidates: [], files: false };
const FILES: Completion = { candidates: [], files: true };

/** `words[0]` is the program; the cursor stands in `words[index]`. */
export function completeWords(
  words: readonly string[],
  index: number,
  view: CommandView,
): Completion {
  const current = words[index] ?? "";
  const found = completeAny(words.slice(1, index), current, view);
  const fitting = found.candidates.filter(({ value }) => value.startsWith(current));
  return { candidates: fitting, files: found.files };
}

function completeAny(before: readonly string[], current: string, view: CommandView): Completion {
  const place = findCommand(before);
  if (place.kind === "flag-value") return place.value === "folder" ? FILES : NOTHING;
  if (place.kind === "command")
    return completeArguments(place.name, place.words, { current, view });
  if (current.startsWith("-") && place.isOpen) return offer(PROGRAM_FLAGS.map(asCandidate));
  const run = { value: "run", description: "run a command, whatever its name" };
  return offer([...view.names(), ...(place.isOpen ? [run] : [])]);
}

const offer = (candidates: readonly Candidate[]): Completion => ({ candidates, files: false });

const asCandidate = ({ flag, description }: ProgramFlag): Candidate => ({
  value: `--${flag}`,
  description,
});

type Place =
  | { readonly kind: "name"; readonly isOpen: boolean }
  | { readonly kind: "flag-value"; readonly value: string }
  | { readonly kind: "command"; readonly name: string; readonly words: readonly string[] };

/** Skips the program's own flags, and `run`, which only says that a name follows. */
function findCommand(before: readonly string[]): Place {
  let at = 0;
  for (; at < before.length; at++) {
    const word = before[at] ?? "";
    if (!word.startsWith("-")) break;
    const value = word.includes("=") ? null : valueOfFlag(word);
    if (value === null) continue;
    at += 1;
    if (at >= before.length) return { kind: "flag-value", value };
  }
  const [first, ...rest] = before.slice(at);
  if (first === undefined) return { kind: "name", isOpen: true };
  if (first !== "run") return { kind: "command", name: first, words: rest };
  const [name, ...words] = rest;
  return name === undefined ? { kind: "name", isOpen: false } : { kind: "command", name, words };
}

const valueOfFlag = (word: string): string | null =>
  PROGRAM_FLAGS.find(({ flag, short }) => word === `--${flag}` || word === `-${short}`)?.value ??
  null;

interface Cursor {
  readonly current: string;
  readonly view: CommandView;
}

function completeArguments(name: string, words: readonly string[], cursor: Cursor): Completion {
  const summary = cursor.view.summaryOf(name);
  // Without a schema nothing is known of the words; most often they are files.
  if (summary === null || summary.schema === null) return FILES;
  const known = listArguments(summary.schema);
  const { current, view } = cursor;
  const isClosed = words.includes("--");
  const previous = words.at(-1) ?? "";
  const waiting = isClosed || previous.includes("=") ? undefined : findFlag(known, previous);
  if (waiting !== undefined && waiting.type !== "boolean") return valuesOf(waiting, view);
  const sign = current.indexOf("=");
  if (!isClosed && current.startsWith("--") && sign > 0) {
    const flag = current.slice(0, sign);
    const argument = findFlag(known, flag);
    return argument === undefined ? NOTHING : inlineValues(argument, flag, view);
  }
  if (!isClosed && current.startsWith("-")) return offer(flagCandidates(known, words));
  const place = countPositionals(known, words);
  const argument = positionalsOf(known)[place] ?? restOf(known);
  return argument === undefined ? NOTHING : valuesOf(argument, view);
}

const findFlag = (known: readonly Argument[], word: string): Argument | undefined =>
  known.find(
    ({ flag, schema }) =>
      typeof schema.positional !== "number" &&
      (word === `--${flag}` || (schema.short !== undefined && word === `-${schema.short}`)),
  );

function valuesOf({ schema, type }: Argument, view: CommandView): Completion {
  if (schema.command === true) return offer(view.names());
  const choices = choicesOf(schema) ?? (type === "boolean" ? ["true", "false"] : null);
  if (choices !== null) return offer(choices.map((value) => ({ value, description: "" })));
  return schema.file === true ? FILES : NOTHING;
}

function inlineValues(argument: Argument, flag: string, view: CommandView): Completion {
  const { candidates, files } = valuesOf(argument, view);
  return {
    candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })),
    files,
  };
}

/** A flag that is there already is not offered again, unless it may be repeated. */
function flagCandidates(known: readonly Argument[], words: readonly string[]): Candidate[] {
  const given = new Set(words.map((word) => word.split("=")[0]));
  const own = known
    .filter(({ schema }) => typeof schema.positional !== "number")
    .filter(({ schema }) => schema.unknownFlags !== true)
    .filter(({ flag, isList }) => isList || !given.has(`--${flag}`))
    .map(({ flag, schema }) => ({ value: `--${flag}`, description: schema.description ?? "" }));
  const names = new Set(own.map(({ value }) => value));
  const isNew = ({ value }: Candidate) => !names.has(value) && !given.has(value);
  return [...own, ...COMMON_FLAGS.map(asCandidate).filter(isNew)];
}

function countPositionals(known: readonly Argument[], words: readonly string[]): number {
  let count = 0;
  let isClosed = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!isClosed && word === "--") isClosed = true;
    else if (isClosed || !word.startsWith("-") || word === "-") count += 1;
    else if (!word.includes("=") && (findFlag(known, word)?.type ?? "boolean") !== "boolean")
      at += 1;
  }
  return count;
}
