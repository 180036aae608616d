import type { $ZodType, output } from "zod/v4/core";
import type { CommandContext } from "./context.ts";
import type { DefaultArguments } from "./default-arguments.ts";
import type { CommandResult } from "./result.ts";

/** What a command does to the session: nothing, change it under the lease, or only between turns. */
export type Effect = "read" | "write" | "exclusive";

/** What a command does to the world. Undeclared is never taken for harmless. */
export type Safety = "read_only" | "mutating" | "destructive";

/** Variable names a command may read, or names with the values it sets for its child processes. */
export type DeclaredEnvironment = readonly string[] | Readonly<Record<string, string>>;

export interface CommandFields {
  /** The file's name says it; needed only where there is no file. */
  readonly name?: string;
  readonly description: string;
  readonly version?: string;
  readonly effect?: Effect;
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
}

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
