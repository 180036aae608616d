// Help for one command, made from its summary alone.
import {
  type Argument,
  choicesOf,
  listSchemaArguments,
  positionalsOf,
  restOf,
} from "../command/arguments.ts";
import type { CommandEffect, CommandSummary, Safety } from "../command/definition.ts";
import { commonFlagsOf, type ProgramFlag, spellingsOf } from "../command/program-flags.ts";
import type { Definition } from "../command/registry.ts";
import { textOrJson } from "../project/json-value.ts";
import { describeActions } from "./action-summary.ts";
import { displayWidth, padEnd, plainLine, wrapToWidth } from "./text-columns.ts";

const EFFECTS: Readonly<Record<CommandEffect, string>> = {
  read: "leaves the session as it is",
  write: "changes the session",
  exclusive: "changes the session, only between turns",
};
const SAFETIES: Readonly<Record<Safety, string>> = {
  read_only: "changes nothing else",
  mutating: "may change things outside the session",
  destructive: "destructive, asks first",
};

/** `adj deploy <target> [files…] [flags]` */
export function formatUsageLine({ name, schema, argumentHint }: CommandSummary): string {
  if (schema === null) return `adj ${name} ${argumentHint ?? "[words…] [--flag[=value]…]"}`;
  const known = listSchemaArguments(schema);
  const words = argumentHint === null ? wordsOf(known).map(formatWord) : [argumentHint];
  const flags = flagsOf(known);
  const required = flags.filter(({ isRequired }) => isRequired).map(formatFlag);
  const rest = flags.length > required.length ? ["[flags]"] : [];
  return ["adj", name, ...words, ...required, ...rest].filter((word) => word !== "").join(" ");
}

/** The whole help text; `width` is the screen's, null to break no line. */
export function formatUsage(
  summary: CommandSummary,
  at: Definition | null,
  width: number | null,
): string {
  const known = listSchemaArguments(summary.schema ?? {});
  const parts = [
    [plainLine(`${summary.name}: ${summary.description}`)],
    [`usage: ${formatUsageLine(summary)}`],
    formatSection("what it does", Object.entries(describeActions(known)), width),
    formatSection("arguments", wordsOf(known).map(describe), width),
    formatSection("flags", flagsOf(known).map(describe), width),
    commonFlags(summary, known, width),
    formatSection(
      "examples",
      summary.examples.map((example) => [plainLine(example), ""]),
      width,
    ),
    closing(summary, at),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

type Entry = readonly [term: string, text: string];

/** A title over terms and what they mean, the meanings aligned and wrapped beside them. */
export function formatSection(
  title: string,
  entries: readonly Entry[],
  width: number | null,
): string[] {
  if (entries.length === 0) return [];
  const indent = entries.reduce((most, [term]) => Math.max(most, displayWidth(term)), 0) + 4;
  const room = width === null ? null : Math.max(20, width - indent);
  const lines = entries.flatMap(([term, text]) =>
    wrapToWidth(text, room).map((line, at) =>
      `${padEnd(at === 0 ? `  ${term}` : "", indent)}${line}`.trimEnd(),
    ),
  );
  return [title, ...lines];
}

function wordsOf(known: readonly Argument[]): Argument[] {
  const rest = restOf(known);
  return rest === undefined ? positionalsOf(known) : [...positionalsOf(known), rest];
}

const flagsOf = (known: readonly Argument[]): Argument[] =>
  known.filter(({ schema }) => schema.positional === undefined);

function formatWord({ flag, isRequired, isList }: Argument): string {
  const name = isList ? `${flag}…` : flag;
  return isRequired ? `<${name}>` : `[${name}]`;
}

function formatFlag(argument: Argument): string {
  const { flag, type, schema } = argument;
  if (schema.unknownFlags === true) return "--…";
  if (type === "boolean") return `--${flag}`;
  return `--${flag} <${schema.file === true ? "file" : type}>`;
}

function describe(argument: Argument): Entry {
  const { schema } = argument;
  const isFlag = schema.positional === undefined;
  const short = schema.short === undefined ? "" : `-${schema.short}, `;
  const term = isFlag ? `${short}${formatFlag(argument)}` : formatWord(argument);
  const notes = notesOf(argument);
  const text = [schema.description ?? "", ...(notes === "" ? [] : [`(${notes})`])];
  return [term, plainLine(text.join(" "))];
}

function notesOf(argument: Argument): string {
  const { schema, isRequired, isList } = argument;
  const choices = choicesOf(schema);
  const isFlag = schema.positional === undefined;
  const notes = [
    choices === null ? null : `one of ${choices.join(", ")}`,
    isFlag && isRequired ? "required" : null,
    isFlag && isList ? "may be repeated" : null,
    isShown(argument) ? `default ${textOrJson(schema.default)}` : null,
  ];
  return notes.filter((note) => note !== null).join("; ");
}

/** An empty list or `false` is what leaving it out means anyway; a secret is not shown. */
const isShown = ({ schema }: Argument): boolean =>
  schema.default !== undefined &&
  schema.default !== false &&
  schema.secret !== true &&
  !(Array.isArray(schema.default) && schema.default.length === 0);

function commonFlags(
  { schema }: CommandSummary,
  known: readonly Argument[],
  width: number | null,
): string[] {
  const flags = schema === null ? [] : commonFlagsOf(known);
  return formatSection("flags of every command", flags.map(describeProgramFlag), width);
}

export const describeProgramFlag = (flag: ProgramFlag): Entry => {
  const term = spellingsOf(flag).join(", ");
  return [flag.value === null ? term : `${term} <${flag.value}>`, flag.description];
};

function closing(summary: CommandSummary, at: Definition | null): string[] {
  const { aliases, effect, safety, version } = summary;
  const origin = at === null ? null : `${at.plugin ?? at.layer}, ${plainLine(at.file)}`;
  const definedIn = at?.layer === "bundled" ? "bundled" : origin;
  return [
    aliases.length === 0 ? null : `aliases: ${aliases.join(", ")}`,
    `effect: ${EFFECTS[effect]}; ${SAFETIES[safety]}`,
    version === "0.0.0" ? null : `version: ${version}`,
    definedIn === null ? null : `defined in: ${definedIn}`,
  ].filter((line) => line !== null);
}
