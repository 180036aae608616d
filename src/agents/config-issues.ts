import type { $ZodIssue } from "zod/v4/core";
import { nearestNames } from "../command/nearest-names.ts";
import type { ConfigProblem } from "./config-check.ts";
import type { ConfigSchema } from "./config-fields.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
};

/** Everything the schema finds wrong, each with its path. */
export function findConfigIssues(schema: ConfigSchema, raw: unknown): ConfigProblem[] {
  const checked = schema.safeParse(raw);
  if (checked.success) return [];
  return checked.error.issues.flatMap((issue) => describeIssue(issue, Object.keys(schema.shape)));
}

function describeIssue(issue: $ZodIssue, known: readonly string[]): ConfigProblem[] {
  const path = formatPath(issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: key, message: describeUnknown(key, known) }));
  if (issue.code === "invalid_type" && !issue.message.startsWith("must"))
    return [{ path, message: `must be ${TYPES[issue.expected] ?? issue.expected}` }];
  return [{ path, message: issue.message }];
}

function describeUnknown(key: string, known: readonly string[]): string {
  const [nearest] = nearestNames(key, known);
  return `unknown key${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`;
}

const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
