// A request as it was invocation: the name, the words or object after it, and the line it amounts to.
import type { $ZodType } from "zod/v4/core";
import { parseDefaultArguments, parseSchemaArguments } from "../command/arguments.ts";
import type { JsonValue } from "../command/context.ts";
import type { ArgumentsSchema, Command, CommandSummary } from "../command/definition.ts";
import { Fault, fault, messageOf } from "../command/fault.ts";
import { privateTexts, shapeArguments, shapeOf } from "../command/recorded-arguments.ts";
import type { Request } from "../command/request.ts";
import { joinWords, splitWords } from "../command/words.ts";
import { isTextList } from "../project/json-value.ts";
import { maskSecrets } from "../secrets/mask.ts";

export interface CommandInvocation {
  readonly name: string;
  readonly given: readonly string[] | Readonly<Record<string, unknown>>;
  /** The line begins with the name of the command. */
  readonly line: string;
}

export function readInvocation(command: Request["command"]): CommandInvocation {
  if ("line" in command) {
    const [name = "", ...given] = splitWords(command.line);
    return { name, given, line: command.line.trimStart() };
  }
  const { name, args } = command;
  return { name, given: args, line: isWords(args) ? joinWords([name, ...args]) : name };
}

const isWords = (given: CommandInvocation["given"]): given is readonly string[] =>
  Array.isArray(given);

/** Without a schema, objects (MCP, web) carry their words in `args`. */
function wordsOf({ name, given }: CommandInvocation): readonly string[] {
  if (isWords(given)) return given;
  const { args = [], ...others } = given;
  if (!isTextList(args) || Object.keys(others).length > 0)
    throw fault("ArgumentsInvalid", { command: name, problem: "expected `args`, a list of words" });
  return args;
}

/** Raw arguments as the record may show them. Happens before they are checked, so it never throws. */
export function describeGiven(
  { schema }: CommandSummary,
  invocation: CommandInvocation,
): JsonValue {
  if (schema === null) {
    if (isWords(invocation.given)) return invocation.given.map(shapeOf);
    return shapeOf(invocation.given);
  }
  try {
    return shapeArguments(schema, rawArguments(schema, invocation));
  } catch (error) {
    // Malformed words are reported by the parse that follows; here only their shapes are known.
    if (!(error instanceof Fault)) throw error;
    return isWords(invocation.given) ? invocation.given.map(shapeOf) : shapeOf(invocation.given);
  }
}

/** Every text of the raw arguments that must not appear in saved text. */
function rawTexts({ schema }: CommandSummary, invocation: CommandInvocation): readonly string[] {
  if (schema === null) return privateTexts(null, invocation.given);
  try {
    return privateTexts(schema, rawArguments(schema, invocation));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return privateTexts(null, invocation.given);
  }
}

function rawArguments(
  schema: ArgumentsSchema,
  invocation: CommandInvocation,
): Readonly<Record<string, unknown>> {
  if (!isWords(invocation.given)) return invocation.given;
  return parseSchemaArguments(invocation.name, schema, invocation.given);
}

/** Checked arguments for `run`, or a `Usage` fault. */
export async function parseGivenArguments(
  command: Command,
  invocation: CommandInvocation,
): Promise<unknown> {
  if (command.args !== null)
    return checkBySchema(
      command.summary,
      command.args,
      rawArguments(command.summary.schema ?? {}, invocation),
    );
  if (command.parseArgs !== null) return parseByCommand(command, command.parseArgs, invocation);
  return parseDefaultArguments(wordsOf(invocation));
}

function parseByCommand(
  command: Command,
  parse: (line: string) => unknown,
  invocation: CommandInvocation,
): unknown {
  const line = isWords(invocation.given)
    ? invocation.line
    : joinWords([invocation.name, ...wordsOf(invocation)]);
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const problem = messageOf(error);
    throw fault("ArgumentsInvalid", { command: command.summary.name, problem }, { cause: error });
  }
}

type Checker = typeof import("../command/schema.ts");

let checker: Promise<Checker> | null = null;

/** zod comes with the first command that has a schema: it costs too much to be there at every start. */
export async function checkBySchema(
  summary: CommandSummary,
  schema: $ZodType,
  raw: unknown,
): Promise<unknown> {
  checker ??= import("../command/schema.ts");
  return (await checker).checkArguments(summary, schema, raw);
}

// Free text on its way to the record: whatever this dispatch was given in confidence is masked in it.

export interface RecordText {
  /** A value of the environment that the command was given. */
  concealValue(value: string | undefined): void;
  mask(text: string): string;
}

export function createRecordText(
  summary: CommandSummary,
  { invocation, request: { env } }: { invocation: CommandInvocation; request: Request },
  args: readonly unknown[],
): RecordText {
  const concealed = new Set([
    ...rawTexts(summary, invocation),
    ...declaredValues(summary, env),
    ...args.flatMap((one) => privateTexts(summary.schema, one)),
  ]);
  return {
    concealValue: (value) => {
      if (value !== undefined) concealed.add(value);
    },
    mask: (text) => maskSecrets(withoutLine(text, summary.name, invocation), [...concealed]),
  };
}

/** A line quotes its values in ways that an exact search does not see; the name says enough. */
function withoutLine(text: string, name: string, { line }: CommandInvocation): string {
  return /\S\s+\S/.test(line) ? text.replaceAll(line, name) : text;
}

function declaredValues({ env: declared }: CommandSummary, env: Request["env"]): string[] {
  const names: readonly string[] = Array.isArray(declared) ? declared : [];
  const given = names.map((name) => env[name]).filter((value) => value !== undefined);
  return Array.isArray(declared) ? given : Object.values(declared);
}
