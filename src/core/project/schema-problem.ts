// What a schema found wrong, in the words of the user's file.
import type { ZodMiniType } from "zod/mini";
import type { $ZodIssue, $ZodType } from "zod/v4/core";
import { type Fault, fault, type Where } from "../command/fault.ts";
import { nearestNames, quoteNames, suggestNames } from "../command/names.ts";
import type { YamlFile } from "./yaml-file.ts";

interface SchemaProblem {
  /** Where it is; for an unknown key the key itself is the last step. */
  readonly path: readonly PropertyKey[];
  readonly part: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
}

/** The value as the schema has it; throws `FileInvalid` where the file's first problem stands. */
export function checkForm<Value>(
  value: unknown,
  schema: ZodMiniType<Value>,
  at: YamlFile["at"],
): Value {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, part, message, hint } = describeIssues(checked.error.issues, schema);
  throw fileFault(message, at(path, part), hint);
}

export const fileFault = (problem: string, where: Where, hint: string | null = null): Fault =>
  fault("FileInvalid", { problem }, { where, ...(hint === null ? {} : { hint }) });

/** One problem of many, the one to mend first: a misspelt key also makes another one missing. */
export function describeIssues(
  issues: readonly $ZodIssue[],
  schema: $ZodType,
  /** What the schema is of. */
  whole = "the file",
): SchemaProblem {
  const first = issues.find((issue) => issue.code === "unrecognized_keys") ?? issues[0];
  if (first === undefined) throw new TypeError("a failed check has at least one issue");
  return describeIssue(first, schema, whole);
}

function describeIssue(issue: $ZodIssue, schema: $ZodType, whole: string): SchemaProblem {
  if (issue.code === "unrecognized_keys")
    return unknownKey(issue.path, issue.keys[0] ?? "", schema);
  const union = issue.code === "invalid_union" ? nearestBranch(issue) : null;
  if (union !== null)
    return describeIssue({ ...union, path: [...issue.path, ...union.path] }, schema, whole);
  const { path } = issue;
  const name = nameOf(path) ?? whole;
  const inKey = issue.code === "invalid_key" ? issue.issues[0] : undefined;
  if (inKey !== undefined)
    return { path, part: "key", message: `${name} ${expectation(inKey)}`, hint: null };
  return { path, part: "value", message: `${name} ${expectation(issue)}`, hint: null };
}

/** Of a union the branch that got furthest, when one did: `{ program }` without `args` is no `sh`. */
function nearestBranch(issue: $ZodIssue & { code: "invalid_union" }): $ZodIssue | null {
  for (const branch of issue.errors) {
    const first = branch[0];
    if (first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys"))
      return first;
  }
  return null;
}

function unknownKey(path: readonly PropertyKey[], key: string, schema: $ZodType): SchemaProblem {
  const known = knownKeys(schema, path);
  const nearest = nearestNames(key, known);
  return {
    path: [...path, key],
    part: "key",
    message: `unknown key \`${key}\`${suggestNames(nearest)}`,
    hint: nearest.length === 0 ? `known are ${quoteNames(known)}` : null,
  };
}

const nameOf = (path: readonly PropertyKey[]): string | null => {
  const last = path.at(-1);
  if (last === undefined) return null;
  return typeof last === "number" && path.length > 1
    ? `entry ${last + 1} of \`${String(path.at(-2))}\``
    : `\`${String(last)}\``;
};

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  function: "a function",
};

/** What a schema calls a type, in words. */
export const nameOfType = (expected: string): string => TYPES[expected] ?? expected;

function expectation(issue: $ZodIssue): string {
  if (issue.code === "invalid_type") {
    // Present only because the check was asked to report its input.
    if (issue.input === undefined) return "is missing";
    return `must be ${nameOfType(issue.expected)}`;
  }
  if (issue.code === "invalid_value")
    return `must be ${issue.values.length === 1 ? "" : "one of "}${quoteNames(issue.values.map(String))}`;
  if (issue.code === "too_small") return "is empty";
  return issue.message === "Invalid input" ? "has a value of the wrong kind" : issue.message;
}

/** The keys a schema allows at a path. */
function knownKeys(schema: $ZodType, path: readonly PropertyKey[]): string[] {
  const def = schema._zod.def as SchemaShape;
  if (def.innerType !== undefined) return knownKeys(def.innerType, path);
  if (def.options !== undefined) return def.options.flatMap((option) => knownKeys(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(def.shape ?? {});
  const next = def.shape?.[String(step)] ?? def.valueType ?? def.element;
  return next === undefined ? [] : knownKeys(next, rest);
}

/** The parts of zod's own description of a schema that lead from one schema to the next. */
interface SchemaShape {
  readonly innerType?: $ZodType;
  readonly options?: readonly $ZodType[];
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly valueType?: $ZodType;
  readonly element?: $ZodType;
}
