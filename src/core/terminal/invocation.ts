// Adjutant's own flags stand before the command's name; everything after it belongs to the command.
import { parseArgs } from "node:util";
import { type Argument, listSchemaArguments } from "../command/arguments.ts";
import type { CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { nearestNames } from "../command/words.ts";
import { actionsOf } from "./action-summary.ts";

export interface ProgramOptions {
  readonly json: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly session: string | null;
  readonly cwd: string | null;
}

export type Invocation =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly options: ProgramOptions }
  | {
      readonly kind: "command";
      readonly name: string;
      readonly words: readonly string[];
      readonly options: ProgramOptions;
    };

const FLAGS = {
  json: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  quiet: { type: "boolean", short: "q" },
  session: { type: "string" },
  cwd: { type: "string", short: "C" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

/** Where the command's name stands: the first word that is neither a flag nor a flag's value. */
function findName(argv: readonly string[]): number {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") return at;
    if (word === "--session" || word === "--cwd" || word === "-C") at += 1;
  }
  return argv.length;
}

export function parseInvocation(argv: readonly string[]): Invocation {
  const at = findName(argv);
  const values = readFlags(argv.slice(0, at));
  const options = {
    json: values.json ?? false,
    yes: values.yes ?? false,
    quiet: values.quiet ?? false,
    session: values.session ?? null,
    cwd: values.cwd ?? null,
  };
  if (values.version) return { kind: "version" };
  const [word, ...rest] = argv.slice(at);
  if (word === undefined) return { kind: "help", options };
  const [name, ...words] = word === "run" ? rest : [word, ...rest];
  if (name === undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj run`", problem: "the name of a command is missing" },
      { hint: "list all with `adj commands`" },
    );
  if (values.help) return { kind: "command", name: "help", words: [name], options };
  return { kind: "command", name, words, options };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    const code = error instanceof TypeError && "code" in error ? error.code : null;
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw unknownFlag(args);
    if (code === null || !(error instanceof Error)) throw error;
    const problem = misusedValue(error.message) ?? error.message.split(".")[0] ?? "";
    throw fault("InputInvalid", { what: "`adj`", problem }, { cause: error });
  }
}

/** `parseArgs` says in its own words that a value is missing, or is one too many. */
function misusedValue(message: string): string | null {
  const name = /--(\w+)/.exec(message)?.[1] ?? "";
  const type = Object.entries(FLAGS).find(([known]) => known === name)?.[1].type;
  if (type === undefined) return null;
  return type === "string" ? `\`--${name}\` needs a value` : `\`--${name}\` takes no value`;
}

function unknownFlag(args: readonly string[]) {
  const known = Object.keys(FLAGS).map((name) => `--${name}`);
  const shorts = new Set(["-y", "-q", "-C", "-h", "-V"]);
  const isKnown = (word: string) =>
    known.includes(word.split("=")[0] ?? "") || shorts.has(word.slice(0, 2));
  const flag = args.find((word) => word.startsWith("-") && !isKnown(word)) ?? args[0] ?? "";
  const hint =
    "Adjutant's flags stand before the command's name, the command's after it; see `adj --help`";
  return fault(
    "FlagUnknown",
    { flag, of: "adj", suggestions: nearestNames(flag, known) },
    { hint },
  );
}

export interface CommandWords {
  readonly words: readonly string[];
  readonly wantsHelp: boolean;
  readonly json: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
}

/** By each spelling, the program's flag that is also taken after a command's name. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ...["help", "json", "yes", "quiet"].map((flag) => [`--${flag}`, flag] as const),
  ...Object.entries({ "-h": "help", "-y": "yes", "-q": "quiet" }),
]);

/** A command with a schema also takes these, unless it has flags of these names itself. */
export function takeCommonFlags(
  words: readonly string[],
  ownFlags: ReadonlySet<string>,
): CommandWords {
  const end = words.indexOf("--");
  const open = end < 0 ? words : words.slice(0, end);
  const commonOf = (word: string) => {
    const flag = ownFlags.has(word.replace(/^--?/, "")) ? undefined : COMMON.get(word);
    return flag === undefined || ownFlags.has(flag) ? undefined : flag;
  };
  const given = new Set(open.map(commonOf));
  return {
    words: [
      ...open.filter((word) => commonOf(word) === undefined),
      ...(end < 0 ? [] : words.slice(end)),
    ],
    wantsHelp: given.has("help"),
    json: given.has("json"),
    yes: given.has("yes"),
    quiet: given.has("quiet"),
  };
}

/** `adj bench report --help` asks about the report alone. */
const askedAction = (summary: CommandSummary, [first = ""]: readonly string[]): string[] =>
  actionsOf(summary).includes(first) ? [first] : [];

interface GivenCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: Pick<ProgramOptions, "json" | "yes" | "quiet">;
}

export interface CommandCall {
  readonly name: string;
  readonly words: readonly string[];
  readonly json: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
}

/** What is asked for, `--help` and its like taken from behind the name. */
export function readCommonFlags(
  summary: CommandSummary | null,
  { name, words, options }: GivenCommand,
): CommandCall {
  const given = { name, words, json: options.json, yes: options.yes, quiet: options.quiet };
  if (!summary?.schema) return given;
  const isOwn = ({ schema }: Argument) => schema.when?.includes(words[0] ?? "") ?? true;
  const own = listSchemaArguments(summary.schema).filter(isOwn);
  const ownFlags = new Set(own.flatMap(({ flag, schema }) => [flag, ...(schema.short ?? "")]));
  const common = takeCommonFlags(words, ownFlags);
  if (common.wantsHelp)
    return { ...given, name: "help", words: [name, ...askedAction(summary, words)] };
  return {
    name,
    words: common.words,
    json: options.json || common.json,
    yes: options.yes || common.yes,
    quiet: options.quiet || common.quiet,
  };
}
