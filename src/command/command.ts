import type { $ZodType } from "zod/v4/core";
import type { ArgumentsSchema } from "./arguments-schema.ts";
import type { CommandContext } from "./context.ts";
import type { DeclaredEnvironment, Effect, Safety } from "./definition.ts";
import type { CommandResult } from "./result.ts";

/** All that is known of a command without running its code; plain data, kept in the index. */
export interface CommandSummary {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly effect: Effect;
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
