// What Adjutant's own keys may hold. The agent's flags are looked at when the agent is known.
import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import { describeIssues } from "../config/schema-problem.ts";
import * as field from "../load/field-schemas.ts";
import type { CutFile } from "./front-matter.ts";

const text = field.word.check(z.minLength(1));
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const name = z
  .string()
  .check(z.refine((one) => NAME.test(one), "must be letters, digits, `_` and `-`"));

/** One command line for the shell, or several in order. */
const steps = z.union([text, z.array(text)], "must be a command line, or a list of them");

const variableValue = z.nullable(
  z.union(
    [field.word, z.number(), z.boolean()],
    "must be text, a number, true or false; null takes the variable away",
  ),
);

/** As a list or text it is a flag of the agent. */
const env = z.union(
  [z.string(), z.array(z.unknown()), z.record(field.variable, variableValue)],
  "must be a map of names and values",
);

const scalar = z.union([z.string(), z.number(), z.boolean()], "must be one value");

const INPUT = z.nullable(
  z.strictObject({
    type: z.optional(z.enum(["text", "number", "boolean", "select", "secret"])),
    description: z.optional(field.description),
    default: z.optional(scalar),
    required: z.optional(z.boolean()),
    options: z.optional(z.array(text).check(z.minLength(1))),
  }),
);
export type WrittenInput = z.infer<typeof INPUT>;

const FIELDS = z.looseObject({
  adjutant: z.optional(z.literal(1)),
  description: field.description,
  version: z.optional(field.version),
  effect: z.optional(field.effect),
  safety: z.optional(field.safety),
  aliases: z.optional(field.aliases),
  category: z.optional(field.category),
  "argument-hint": z.optional(field.argumentHint),
  examples: z.optional(field.examples),
  critical: z.optional(z.boolean()),
  "inherit-env": z.optional(z.boolean()),
  timeout: z.optional(field.timeout),
  agent: z.optional(text),
  cassette: z.optional(text),
  cwd: z.optional(text),
  env: z.optional(env),
  inputs: z.optional(z.record(name, INPUT)),
  args: z.optional(z.array(name)),
  pre: z.optional(steps),
  before: z.optional(steps),
  post: z.optional(steps),
  after: z.optional(steps),
  post_optional: z.optional(z.boolean()),
  context_window: z.optional(z.int().check(z.minimum(1))),
});
export type MarkdownFields = z.infer<typeof FIELDS>;

/** Throws `FileInvalid` at the key or the value that is wrong. */
export function checkFields({ frontMatter, at }: CutFile): MarkdownFields {
  const checked = FIELDS.safeParse(frontMatter, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, part, message, hint } = describeIssues(checked.error.issues, FIELDS);
  throw fault(
    "FileInvalid",
    { problem: message },
    { where: at(path, part), ...(hint === null ? {} : { hint }) },
  );
}

export const listSteps = (...given: (string | readonly string[] | undefined)[]): string[] =>
  given.flatMap((one) => one ?? []);
