// Words of a command line → the raw object a schema then checks. Driven by JSON Schema alone.
import { parseArgs } from "node:util";
import type {
  ArgumentSchema,
  ArgumentsSchema,
  DefaultArguments,
  DefaultValue,
} from "./definition.ts";
import { type Fault, fault, misuse } from "./fault.ts";
import { kebabCase, nearestNames } from "./names.ts";
import { commonFlagsOf, PROGRAM_FLAGS, spellingsOf } from "./program-flags.ts";

export interface Argument {
  readonly key: string;
  readonly flag: string;
  readonly schema: ArgumentSchema;
  readonly type: "boolean" | "number" | "text";
  readonly isList: boolean;
  readonly isRequired: boolean;
}

/** The types a value may have, seen through optional, nullable and unions; words are read as the first. */
function typesOf(schema: ArgumentSchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  return [schema.type ?? "any"].flat().filter((type) => type !== "null");
}

function typeOf(schema: ArgumentSchema): Argument["type"] {
  const [type] = typesOf(schema);
  if (type === "boolean") return "boolean";
  return type === "number" || type === "integer" ? "number" : "text";
}

const itemsOf = (schema: ArgumentSchema): ArgumentSchema =>
  schema.items ?? schema.anyOf?.find((form) => form.items !== undefined)?.items ?? {};

export function listSchemaArguments(schema: ArgumentsSchema): Argument[] {
  return Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const isList = typesOf(property)[0] === "array";
    return {
      key,
      flag: kebabCase(key),
      schema: property,
      type: typeOf(isList ? itemsOf(property) : property),
      isList,
      isRequired: schema.required?.includes(key) ?? false,
    };
  });
}

export const positionalsOf = (known: readonly Argument[]): Argument[] =>
  known
    .filter((argument) => typeof argument.schema.positional === "number")
    .sort((a, b) => Number(a.schema.positional) - Number(b.schema.positional));

export const restOf = (known: readonly Argument[]): Argument | undefined =>
  known.find((argument) => argument.schema.positional === "rest");

/** How an argument is called in help and messages: `<name>` or `--name`. */
export const labelOf = (argument: Argument): string =>
  argument.schema.positional === undefined ? `--${argument.flag}` : `<${argument.flag}>`;

/** Whether an argument goes with this word of those that say what to do. */
export const concernsAction = ({ when, means }: ArgumentSchema, action: string): boolean =>
  means === undefined ? (when?.includes(action) ?? true) : Object.hasOwn(means, action);

/** What was given and goes with other actions only, as `--input` with `workflow stop`: it would have no effect. */
export function findForeignArgument(
  schema: ArgumentsSchema,
  given: Readonly<Record<string, unknown>>,
): string | null {
  const known = listSchemaArguments(schema);
  const [first] = positionalsOf(known);
  const action = first === undefined ? undefined : (given[first.key] ?? first.schema.default);
  if (typeof action !== "string" || !Object.hasOwn(first?.schema.actions ?? {}, action))
    return null;
  const foreign = known.find(
    ({ key, schema: own }) => isGiven(given[key]) && !concernsAction(own, action),
  );
  if (foreign === undefined) return null;
  return foreign.schema.positional === undefined
    ? `\`${labelOf(foreign)}\` is not for \`${action}\``
    : `\`${action}\` takes no further words`;
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Throws `Usage` faults; the values still have to pass the command's own schema. */
export function parseSchemaArguments(
  command: string,
  schema: ArgumentsSchema,
  words: readonly string[],
): Record<string, unknown> {
  const known = listSchemaArguments(schema);
  const positionals: string[] = [];
  const raw: Record<string, unknown> = {};
  const skipped = new Set<number>();
  const expected = positionalsOf(known).length;
  const isVerbatim = restOf(known)?.schema.verbatim === true;
  for (const token of tokenize(known, words)) {
    if (isVerbatim && positionals.length === expected) {
      positionals.push(...words.slice(token.index));
      break;
    }
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option" || skipped.has(token.index)) continue;
    const word = words[token.index] ?? "";
    if (NEGATIVE_NUMBER.test(word)) {
      positionals.push(word);
      skipped.add(token.index);
    } else takeFlag({ command, known, raw }, token);
  }
  takePositionals({ command, known, raw }, positionals);
  return raw;
}

interface ArgumentsReading {
  readonly command: string;
  readonly known: readonly Argument[];
  readonly raw: Record<string, unknown>;
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

function tokenize(known: readonly Argument[], words: readonly string[]): readonly Token[] {
  const options = Object.fromEntries(
    known.filter(isGivenByFlag).map(({ flag, type, schema }) => [
      flag,
      {
        type: type === "boolean" ? ("boolean" as const) : ("string" as const),
        multiple: true,
        ...(schema.short === undefined ? {} : { short: schema.short }),
      },
    ]),
  );
  const args = [...words];
  // Not `allowNegative`: it renames the token, and a flag that is itself called `no-…` gets lost.
  const config = { args, options, strict: false, allowPositionals: true };
  return parseArgs({ ...config, tokens: true }).tokens;
}

function takeFlag({ command, known, raw }: ArgumentsReading, token: OptionToken): void {
  const isNegated =
    token.rawName.startsWith("--no-") && !known.some(({ flag }) => flag === token.name);
  const name = isNegated ? token.rawName.slice("--no-".length) : token.name;
  const argument = known.find((one) => one.flag === name && isGivenByFlag(one));
  if (argument === undefined || (isNegated && argument.type !== "boolean")) {
    takeUnknown({ command, known, raw }, token);
    return;
  }
  const value =
    argument.type === "boolean"
      ? readSwitch(command, token, isNegated)
      : readArgumentValue(command, argument, readText(command, token));
  put(raw, argument, value);
}

const isGivenByFlag = ({ schema }: Argument): boolean =>
  typeof schema.positional !== "number" && schema.unknownFlags !== true;

function takeUnknown({ command, known, raw }: ArgumentsReading, token: OptionToken): void {
  const open = known.find(({ schema }) => schema.unknownFlags === true);
  if (open === undefined || !token.rawName.startsWith("--"))
    throw unknownFlag(command, known, token.rawName);
  put(raw, open, token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName);
}

function readSwitch(command: string, token: OptionToken, isNegated: boolean): boolean {
  if (token.inlineValue !== true) return !isNegated;
  if (token.value === "true" || token.value === "false")
    return (token.value === "true") !== isNegated;
  const flag = token.rawName;
  throw misuse(command, `\`${flag}\` is a switch: give it alone, or as \`${flag}=false\``);
}

function readText(command: string, token: OptionToken): string {
  if (token.value === undefined) throw misuse(command, `\`${token.rawName}\` needs a value`);
  if (!token.inlineValue && token.value.length > 1 && token.value.startsWith("-")) {
    const joined = token.rawName.startsWith("--") ? `${token.rawName}=-…` : `${token.rawName}-…`;
    throw misuse(
      command,
      `\`${token.rawName}\` needs a value; one that begins with a dash is given as \`${joined}\``,
    );
  }
  return token.value;
}

/** The value is not repeated in the message: it may be a secret that took the wrong place. */
function readArgumentValue(command: string, argument: Argument, text: string): string | number {
  if (argument.type !== "number") return text;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  // `auto` beside a number: the schema judges.
  if (typesOf(argument.isList ? itemsOf(argument.schema) : argument.schema).length > 1) return text;
  throw misuse(command, `\`${labelOf(argument)}\` must be a number`);
}

function put(raw: Record<string, unknown>, argument: Argument, value: unknown): void {
  const before = raw[argument.key];
  if (argument.isList) raw[argument.key] = Array.isArray(before) ? [...before, value] : [value];
  else raw[argument.key] = value;
}

function takePositionals(
  { command, known, raw }: ArgumentsReading,
  words: readonly string[],
): void {
  const expected = positionalsOf(known);
  const rest = restOf(known);
  for (const [index, word] of words.entries()) {
    const argument = expected[index] ?? rest;
    if (argument === undefined)
      throw misuse(command, `takes ${countWords(expected.length)}, got ${words.length}`);
    put(raw, argument, readArgumentValue(command, argument, word));
  }
}

function countWords(count: number): string {
  if (count === 0) return "no arguments but flags";
  return `at most ${count} ${count === 1 ? "argument" : "arguments"}`;
}

function unknownFlag(command: string, known: readonly Argument[], rawName: string): Fault {
  const own = known.filter(isGivenByFlag);
  const flags = [...own, ...commonFlagsOf(known)].map(({ flag }) => `--${flag}`);
  // Given without a value it would have been taken before.
  if (flags.includes(rawName)) return misuse(command, `\`${rawName}\` takes no value`);
  const ofProgram = PROGRAM_FLAGS.find(
    (one) => one.place === "before" && spellingsOf(one).includes(rawName),
  );
  const suggestions = ofProgram === undefined ? nearestNames(rawName, flags) : [];
  const hint =
    ofProgram === undefined
      ? `see \`adj help ${command}\``
      : `it is one of Adjutant's and stands before the name: \`adj ${rawName}${ofProgram.value === null ? "" : " …"} ${command}\``;
  return fault("FlagUnknown", { flag: rawName, of: command, suggestions }, { hint });
}

/** The values an argument (or each value of a list) is limited to; null where any will do. */
export function choicesOf(schema: ArgumentSchema): readonly string[] | null {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.items !== undefined) return choicesOf(schema.items);
  const forms = (schema.anyOf ?? []).filter((form) => form.type !== "null");
  const choices = forms.map(choicesOf);
  if (choices.length === 0 || choices.includes(null)) return null;
  return choices.flatMap((some) => some ?? []);
}

const LONG_FLAG = /^--([^=]+)(?:=([\s\S]*))?$/;

/** `--k=v` is the only way to give a value, `--k` is true, a repeat makes a list, after `--` all is positional. */
export function parseDefaultArguments(words: readonly string[]): DefaultArguments {
  const positionals: string[] = [];
  // A null prototype: `--constructor` and `--__proto__` are flags like any other.
  const flags: Record<string, DefaultValue> = Object.create(null);
  let isOpen = true;
  for (const word of words) {
    if (isOpen && word === "--") isOpen = false;
    else {
      const match = isOpen ? LONG_FLAG.exec(word) : null;
      if (match?.[1] === undefined) positionals.push(word);
      else addFlag(flags, match[1], match[2] ?? true);
    }
  }
  return Object.assign(flags, { _: positionals });
}

function addFlag(flags: Record<string, DefaultValue>, name: string, value: string | true): void {
  const before = flags[name];
  if (before === undefined) flags[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else flags[name] = [before, value];
}
