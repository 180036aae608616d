// A request as it was spoken: the name, the words or object after it, and the line it amounts to.
import type { ArgumentsSchema } from "../command/arguments-schema.ts";
import type { Command, CommandSummary } from "../command/command.ts";
import { parseDefaultArguments } from "../command/default-arguments.ts";
import { Fault, fault } from "../command/fault.ts";
import { parseSchemaArguments } from "../command/schema-arguments.ts";
import type { JsonValue } from "../command/session-access.ts";
import { privateTexts, shapeArguments, shapeOf } from "../command/shape.ts";
import { joinWords, splitWords } from "../command/words.ts";
import type { Request } from "./request.ts";
import { checkBySchema } from "./schema-check.ts";

export interface SpokenCommand {
  readonly name: string;
  readonly given: readonly string[] | Readonly<Record<string, unknown>>;
  /** From the command's name on. */
  readonly line: string;
}

export function readSpoken(command: Request["command"]): SpokenCommand {
  if ("line" in command) {
    const [name = "", ...given] = splitWords(command.line);
    return { name, given, line: command.line.trimStart() };
  }
  const { name, args } = command;
  return { name, given: args, line: isWords(args) ? joinWords([name, ...args]) : name };
}

const isWords = (given: SpokenCommand["given"]): given is readonly string[] => Array.isArray(given);

/** Without a schema, objects (MCP, web) carry their words in `args`. */
function wordsOf({ name, given }: SpokenCommand): readonly string[] {
  if (isWords(given)) return given;
  const { args = [], ...others } = given;
  const isList = Array.isArray(args) && args.every((word) => typeof word === "string");
  if (!isList || Object.keys(others).length > 0)
    throw fault("ArgumentsInvalid", { command: name, problem: "expected `args`, a list of words" });
  return args;
}

/** Raw arguments as the record may show them. Happens before they are checked, so it never throws. */
export function describeGiven({ schema }: CommandSummary, spoken: SpokenCommand): JsonValue {
  if (schema === null) {
    if (isWords(spoken.given)) return spoken.given.map(shapeOf);
    return shapeOf(spoken.given);
  }
  try {
    return shapeArguments(schema, rawArguments(schema, spoken));
  } catch (error) {
    // Malformed words are reported by the parse that follows; here only their shapes are known.
    if (!(error instanceof Fault)) throw error;
    return isWords(spoken.given) ? spoken.given.map(shapeOf) : shapeOf(spoken.given);
  }
}

/** Every text of the raw arguments that must not appear in saved text. */
export function rawTexts({ schema }: CommandSummary, spoken: SpokenCommand): readonly string[] {
  if (schema === null) return privateTexts(null, spoken.given);
  try {
    return privateTexts(schema, rawArguments(schema, spoken));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return privateTexts(null, spoken.given);
  }
}

function rawArguments(
  schema: ArgumentsSchema,
  spoken: SpokenCommand,
): Readonly<Record<string, unknown>> {
  if (!isWords(spoken.given)) return spoken.given;
  return parseSchemaArguments(spoken.name, schema, spoken.given);
}

/** Checked arguments for `run`, or a `Usage` fault. */
export async function parseSpoken(command: Command, spoken: SpokenCommand): Promise<unknown> {
  if (command.args !== null)
    return checkBySchema(
      command.summary,
      command.args,
      rawArguments(command.summary.schema ?? {}, spoken),
    );
  if (command.parseArgs !== null) return parseByCommand(command, command.parseArgs, spoken);
  return parseDefaultArguments(wordsOf(spoken));
}

function parseByCommand(
  command: Command,
  parse: (line: string) => unknown,
  spoken: SpokenCommand,
): unknown {
  const line = isWords(spoken.given) ? spoken.line : joinWords([spoken.name, ...wordsOf(spoken)]);
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw fault("ArgumentsInvalid", { command: command.summary.name, problem }, { cause: error });
  }
}
