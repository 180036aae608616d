import { type $ZodType, toJSONSchema } from "zod/v4/core";

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
  /** Only with these first words; a common flag of the same name (`--json`) is the program's with any other. */
  readonly when?: readonly string[];
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

/** JSON Schema is the one form that help, completion, the command line, MCP and forms read. */
export function describeArguments(schema: $ZodType): ArgumentsSchema {
  return toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as ArgumentsSchema;
}
