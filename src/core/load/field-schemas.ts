// The fields that a command has however it is written; TypeScript and YAML spell only their names differently.
import * as z from "zod/mini";
import { isCommandName, PROGRAM_WORDS } from "../command/registry.ts";
import { parseDuration } from "../command/time.ts";

const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const stringThat = (holds: (text: string) => boolean, problem: string) =>
  z.string().check(z.refine(holds, problem));

const line = stringThat(
  (text) => text.trim() !== "" && !/[\r\n]/.test(text),
  "must be one line of text",
);
export const variable = stringThat((name) => VARIABLE.test(name), "is not the name of a variable");

export const description = line;
export const version = stringThat(
  (text) => VERSION.test(text),
  "must be a version such as `1.2.3`",
);
export const effect = z.enum(["read", "write", "exclusive"]);
export const safety = z.enum(["read_only", "mutating", "destructive"]);
export const aliases = z.array(
  stringThat(isCommandName, "is not a command name").check(
    z.refine((name) => !PROGRAM_WORDS.has(name), "belongs to the program and cannot be an alias"),
  ),
);
export const category = line;
export const argumentHint = line;
export const examples = z.array(line);
/** A bare number is the usual mistake, so its type is not what is complained about. */
export const duration = z.custom<string>(
  (value) => typeof value === "string" && parseDuration(value) !== null,
  "must be a duration such as `30s` or `10m`",
);

/** The bounds stand in the published schema, too, where a check of our own says nothing. */
export const wholeNumber = (low: number, high: number) =>
  z.number("must be a number").check(
    z.refine(
      (value) => Number.isInteger(value) && value >= low && value <= high,
      `must be a whole number from ${low} to ${high}`,
    ),
    z.meta({ minimum: low, maximum: high }),
  );

const notNul = (text: string): boolean => !text.includes("\0");
export const word = stringThat(notNul, "holds a NUL byte");
const value = z.union([word, z.number(), z.boolean()]);
export const env = z.union(
  [z.array(variable), z.record(variable, value)],
  "must be a list of names, or a map of names and values",
);

/** A set variable is text, however YAML read it. */
export function plainEnv(
  declared: z.infer<typeof env> | undefined,
): readonly string[] | Record<string, string> | undefined {
  if (declared === undefined || Array.isArray(declared)) return declared;
  return Object.fromEntries(Object.entries(declared).map(([name, set]) => [name, String(set)]));
}
