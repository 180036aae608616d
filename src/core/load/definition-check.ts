// A command file's default export is anything until this has looked at it.
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import type { ArgumentsSchema, Command } from "../command/definition.ts";
import { describeArguments } from "../command/describe-arguments.ts";
import { type Fault, fault } from "../command/fault.ts";
import { describeIssues } from "../project/schema-problem.ts";
import * as field from "./field-schemas.ts";
import { commandWith, summaryOf } from "./summary.ts";

const isFunction = (value: unknown): boolean => typeof value === "function";
const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_zod" in value;

const DEFINITION = z.strictObject({
  name: z.optional(z.string()),
  description: field.description,
  version: z.optional(field.version),
  args: z.optional(z.custom<$ZodType>(isSchema, "must be a schema made with `z`")),
  parseArgs: z.optional(z.custom<(line: string) => unknown>(isFunction, "must be a function")),
  effect: z.optional(field.effect),
  safety: z.optional(field.safety),
  aliases: z.optional(field.aliases),
  category: z.optional(field.category),
  argumentHint: z.optional(field.argumentHint),
  examples: z.optional(field.examples),
  timeout: z.optional(field.duration),
  env: z.optional(field.env),
  inheritEnv: z.optional(z.boolean()),
  holdLeaseWhileAsking: z.optional(z.boolean()),
  critical: z.optional(z.boolean()),
  person: z.optional(z.boolean()),
  agents: z.optional(z.boolean()),
  run: z.custom<() => never>(isFunction, "must be a function"),
});

interface DefinedIn {
  /** As the file's name says it. */
  readonly name: string;
  readonly file: string;
}

/** Throws `FileInvalid`, naming the file and the field, at the first thing that is wrong. */
export function checkDefinition(exported: unknown, { name, file }: DefinedIn): Command {
  const invalid = (problem: string, hint?: string): Fault =>
    fault("FileInvalid", { problem }, { where: { file }, ...(hint === undefined ? {} : { hint }) });
  if (typeof exported !== "object" || exported === null || Array.isArray(exported))
    throw invalid("its default export is not a definition", "export `defineCommand({ … })`");
  const checked = DEFINITION.safeParse(exported, { reportInput: true });
  if (!checked.success) {
    const { message, hint } = describeIssues(checked.error.issues, DEFINITION);
    throw invalid(message, hint ?? undefined);
  }
  const definition = checked.data;
  if (definition.name !== undefined && definition.name !== name)
    throw invalid(`\`name\` is \`${definition.name}\` but the file's name says \`${name}\``);
  const schema = definition.args === undefined ? null : describe(definition.args, invalid);
  const fields = { ...definition, env: field.plainEnv(definition.env) };
  return commandWith(fields, summaryOf(fields, name, schema));
}

function describe(args: $ZodType, invalid: (problem: string) => Fault): ArgumentsSchema {
  const schema = tryDescribe(args, invalid);
  if (schema.type !== "object") throw invalid("`args` must be made with `z.object({ … })`");
  return schema;
}

function tryDescribe(args: $ZodType, invalid: (problem: string) => Fault): ArgumentsSchema {
  try {
    return describeArguments(args);
  } catch (error) {
    throw invalid(
      `\`args\` cannot be described: ${error instanceof Error ? error.message : error}`,
    );
  }
}
