// What a command is: as its author writes it, as the index keeps it, and ready to run.
import type { $ZodType, output } from "zod/v4/core";
import type { CommandContext } from "./context.ts";
import type { CommandResult } from "./result.ts";

/** What a command does to the session: nothing, change it under the lease, or only between turns. */
export type CommandEffect = "read" | "write" | "exclusive";

/** What a command does to the world. Undeclared is never taken for harmless. */
export type Safety = "read_only" | "mutating" | "destructive";

/** Variable names a command may read, or names with the values it sets for its child processes. */
export type DeclaredEnvironment = readonly string[] | Readonly<Record<string, string>>;

export interface CommandFields {
  /** The file's name says it; needed only where there is no file. */
  readonly name?: string;
  readonly description: string;
  readonly version?: string;
  readonly effect?: CommandEffect;
  readonly safety?: Safety;
  readonly aliases?: readonly string[];
  readonly category?: string;
  readonly argumentHint?: string;
  readonly examples?: readonly string[];
  /** `30s`, `10m`; none in the shell by default. */
  readonly timeout?: string;
  readonly env?: DeclaredEnvironment;
  readonly inheritEnv?: boolean;
  readonly holdLeaseWhileAsking?: boolean;
  /** A critical command that cannot be loaded stops the program. */
  readonly critical?: boolean;
  /** It grants, widens or takes back something, so it is refused below an agent. */
  readonly person?: boolean | PersonUse;
  /** It may start agents also where an agent called it. */
  readonly agents?: boolean;
}

/** Which uses of a command are for a person: by an argument that is given, or `key=value` for one value of it. */
export interface PersonUse {
  /** Any of them; without a list every use. */
  readonly when?: readonly string[];
  /** With one of these it is for anybody. */
  readonly unless?: readonly string[];
}

/** What the text of a bundled command is made of, so that a terminal can colour it. */
export type TextPart = "table" | "sections" | "findings" | "diff" | "verdicts";

type Run<Args> = (args: Args, context: CommandContext) => Promise<CommandResult> | CommandResult;

/** A definition whose argument type is no longer known: what the loader and registry handle. */
export interface CommandDefinition extends CommandFields {
  readonly args?: $ZodType;
  readonly parseArgs?: (line: string) => unknown;
  readonly run: Run<never>;
}

/**
 * Defines a command; `args` gives `run` its types, help text, completion and forms.
 *
 * @example
 * export default defineCommand({
 *   description: "Greet somebody",
 *   args: z.object({ name: z.string().meta({ positional: 0 }) }),
 *   run: ({ name }) => ok(`hello ${name}`),
 * });
 */
export function defineCommand<Schema extends $ZodType>(
  definition: CommandFields & { readonly args: Schema; readonly run: Run<output<Schema>> },
): CommandDefinition;
export function defineCommand<Args>(
  definition: CommandFields & {
    readonly parseArgs: (line: string) => Args;
    readonly run: Run<Args>;
  },
): CommandDefinition;
export function defineCommand(
  definition: CommandFields & { readonly run: Run<DefaultArguments> },
): CommandDefinition;
export function defineCommand(definition: CommandDefinition): CommandDefinition {
  return definition;
}

/** All that is known of a command without running its code; plain data, kept in the index. */
export interface CommandSummary {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly effect: CommandEffect;
  readonly safety: Safety;
  readonly aliases: readonly string[];
  readonly category: string | null;
  readonly argumentHint: string | null;
  readonly examples: readonly string[];
  readonly timeoutMs: number | null;
  readonly env: DeclaredEnvironment;
  readonly inheritEnv: boolean;
  readonly holdLeaseWhileAsking: boolean;
  readonly critical: boolean;
  readonly person: boolean | PersonUse;
  readonly agents: boolean;
  /** A program gets what is typed as it is, options too, and nothing in its definition bounds them. */
  readonly takesAnyWords?: boolean;
  /** What a terminal shows of it is text of ours; bundled commands alone have it, and not those that pass a program's output on. */
  readonly textParts?: readonly TextPart[];
  /** JSON Schema of the arguments, null where the command has none. */
  readonly schema: ArgumentsSchema | null;
}

/** A command ready to run. */
export interface Command {
  readonly summary: CommandSummary;
  readonly args: $ZodType | null;
  readonly parseArgs: ((line: string) => unknown) | null;
  /** How long it may still tidy up after it was told to stop; a second by default. */
  readonly graceMs?: number;
  /** It keeps its own time limit, which a flag may change; nobody else sets one. */
  readonly keepsTime?: boolean;
  /** Returns what the user's code returned; the dispatcher checks it. */
  readonly run: (args: unknown, context: CommandContext) => unknown;
  /** The file's text as it was loaded, where the command is that text: a prompt. */
  readonly source?: string;
  /** What `run` would do, without doing it; for commands that can tell. */
  readonly explain?: (args: unknown, context: CommandContext) => Promise<CommandResult>;
}

/** One argument as JSON Schema, with Adjutant's marks from `.meta({ … })`. */
export interface ArgumentSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: ArgumentSchema;
  readonly anyOf?: readonly ArgumentSchema[];
  /** Place on the command line, or all the remaining words. */
  readonly positional?: number | "rest";
  /** One-letter flag. */
  readonly short?: string;
  /** The value may be recorded as it is. */
  readonly plain?: boolean;
  /** The value is kept out of sight wherever it would be shown. */
  readonly secret?: boolean;
  /** How the command is run, not what it is about: whoever calls it as a tool is not offered it and may not set it. */
  readonly operator?: boolean;
  /** Only with these first words; a common flag of the same name (`--json`) is the program's with any other. */
  readonly when?: readonly string[];
  /** Only with these first words, too: what it is with each of them. */
  readonly means?: Readonly<Record<string, string>>;
  /** Of the first word: what each that says what to do does. */
  readonly actions?: Readonly<Record<string, string>>;
  /** With `positional: "rest"`: from its first word on everything is taken as it stands, flags too. */
  readonly verbatim?: boolean;
  /** A list of all long flags that nobody else takes, as `--flag` or `--flag=value`. */
  readonly unknownFlags?: boolean;
  /** Completion offers files. */
  readonly file?: boolean;
  /** Completion offers the names of commands. */
  readonly command?: boolean;
}

export interface ArgumentsSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

export type DefaultValue = string | true | (string | true)[];

/** What a command without a schema is given: positionals in `_`, long flags by name. */
export interface DefaultArguments {
  readonly _: readonly string[];
  readonly [flag: string]: DefaultValue | readonly string[];
}

/** What a user's file gives to a part of the program by name: a builtin of a hook, an evaluator of a suite. */
export type OptionsReading<Options> =
  | { readonly kind: "options"; readonly options: Options }
  /** The path inside the options, for the position in the file. */
  | {
      readonly kind: "invalid";
      readonly path: readonly (string | number)[];
      readonly problem: string;
    };
