// Adjutant's own flags stand before the command's name; what is after it belongs to the command, and a command with a
// schema leaves those that it has none of that name for to Adjutant.
import { parseArgs } from "node:util";
import { type Argument, listSchemaArguments } from "../command/arguments.ts";
import type { CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { nearestNames } from "../command/names.ts";
import {
  commonFlagsOf,
  PROGRAM_FLAGS,
  type ProgramFlag,
  spellingsOf,
  VALUED_SPELLINGS,
} from "../command/program-flags.ts";
import { actionsOf } from "./action-summary.ts";
import { type ColorChoice, requireColorChoice } from "./color.ts";

export interface ProgramOptions {
  readonly json: boolean;
  readonly yes: boolean;
  readonly quiet: boolean;
  /** Show the stack of what went wrong. */
  readonly debug: boolean;
  readonly color: ColorChoice;
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

/** Where the command's name stands: the first word that is neither a flag nor a flag's value. */
function findName(argv: readonly string[]): number {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") return at;
    if (VALUED_SPELLINGS.has(word)) at += 1;
  }
  return argv.length;
}

/** Whether the answer is to be JSON also where the line has a mistake. */
export const wantsJson = (argv: readonly string[]): boolean =>
  argv.slice(0, findName(argv)).includes("--json");

export function parseInvocation(argv: readonly string[]): Invocation {
  const at = findName(argv);
  const given = readFlags(argv.slice(0, at));
  const options = {
    json: given.has("json"),
    yes: given.has("yes"),
    quiet: given.has("quiet"),
    debug: given.has("debug"),
    color: colorOf(given) ?? "auto",
    session: given.get("session") ?? null,
    cwd: given.get("cwd") ?? null,
  };
  if (given.has("version")) return { kind: "version" };
  const [word, ...rest] = argv.slice(at);
  if (word === undefined) return { kind: "help", options };
  const [name, ...words] = word === "run" ? rest : [word, ...rest];
  if (name === undefined)
    throw fault(
      "InputInvalid",
      { what: "`adj run`", problem: "the name of a command is missing" },
      { hint: "list all with `adj commands`" },
    );
  if (given.has("help")) return { kind: "command", name: "help", words: [name], options };
  return { kind: "command", name, words, options };
}

/** By the name of each flag that was given, its value; a switch has an empty one. */
type GivenFlags = ReadonlyMap<string, string>;

function colorOf(given: GivenFlags): ColorChoice | null {
  const color = given.get("color");
  if (color !== undefined) requireColorChoice(color);
  if (given.has("no-color")) return "never";
  return color === undefined ? null : requireColorChoice(color);
}

const OPTIONS = Object.fromEntries(
  PROGRAM_FLAGS.map(({ flag, short, value }) => [
    flag,
    {
      type: value === null ? ("boolean" as const) : ("string" as const),
      ...(short === null ? {} : { short }),
    },
  ]),
);

function readFlags(args: readonly string[]): GivenFlags {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS, strict: true });
    return new Map(
      Object.entries(values).map(([flag, value]) => [flag, typeof value === "string" ? value : ""]),
    );
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
  const name = /--([\w-]+)/.exec(message)?.[1] ?? "";
  const known = PROGRAM_FLAGS.find(({ flag }) => flag === name);
  if (known === undefined) return null;
  return known.value === null ? `\`--${name}\` takes no value` : `\`--${name}\` needs a value`;
}

function unknownFlag(args: readonly string[]) {
  const known = PROGRAM_FLAGS.map(({ flag }) => `--${flag}`);
  const shorts = new Set(PROGRAM_FLAGS.map(({ short }) => `-${short}`));
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

interface TakenWords {
  /** What is left for the command. */
  readonly words: readonly string[];
  readonly given: GivenFlags;
}

/** The program's flags out of what stands behind a command's name; nothing behind `--` is one. */
export function takeCommonFlags(
  words: readonly string[],
  flags: readonly ProgramFlag[],
): TakenWords {
  const bySpelling = new Map(
    flags.flatMap((one) => spellingsOf(one).map((spelling) => [spelling, one] as const)),
  );
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const left: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? "";
    const [spelling = "", ...inline] = word.startsWith("--") ? word.split("=") : [word];
    const known = bySpelling.get(spelling);
    if (known === undefined || (known.value === null && inline.length > 0)) left.push(word);
    else if (known.value === null) given.set(known.flag, "");
    else if (inline.length > 0) given.set(known.flag, inline.join("="));
    else {
      at += 1;
      given.set(known.flag, requireValue(spelling, at < end ? words[at] : undefined));
    }
  }
  return { words: [...left, ...words.slice(end)], given };
}

function requireValue(spelling: string, value: string | undefined): string {
  if (value !== undefined && !value.startsWith("-")) return value;
  throw fault("InputInvalid", { what: "`adj`", problem: `\`${spelling}\` needs a value` });
}

/** `adj bench report --help` asks about the report alone. */
const askedAction = (summary: CommandSummary, first: string): string[] =>
  actionsOf(summary).includes(first) ? [first] : [];

type CallOptions = Omit<ProgramOptions, "cwd">;

interface GivenCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: CallOptions;
}

export interface CommandCall extends CallOptions {
  readonly name: string;
  readonly words: readonly string[];
}

/** What is asked for, `--help` and its like taken from behind the name. */
export function readCommonFlags(
  summary: CommandSummary | null,
  { name, words, options }: GivenCommand,
): CommandCall {
  const { json, yes, quiet, debug, color, session } = options;
  const call = { name, words, json, yes, quiet, debug, color, session };
  if (!summary?.schema) return call;
  const first = words.find((word) => !word.startsWith("-")) ?? "";
  const isOwn = ({ schema }: Argument) => schema.when?.includes(first) ?? true;
  const own = listSchemaArguments(summary.schema).filter(isOwn);
  const { words: left, given } = takeCommonFlags(words, commonFlagsOf(own));
  const read = {
    json: json || given.has("json"),
    yes: yes || given.has("yes"),
    quiet: quiet || given.has("quiet"),
    debug: debug || given.has("debug"),
    color: colorOf(given) ?? color,
    session: given.get("session") ?? session,
  };
  if (given.has("help"))
    return { ...read, name: "help", words: [name, ...askedAction(summary, first)] };
  return { name, words: left, ...read };
}
