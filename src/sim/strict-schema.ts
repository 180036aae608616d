// What OpenAI refuses of a schema for answers in strict mode, in its own words as far as they are known (2026): every
// object closed, every property required, and none of the keywords that the mode has no meaning for.

import * as z from "zod/mini";
import { isRecord } from "../core/project/json-value.ts";

const format = z.looseObject({
  name: z.optional(z.string()),
  strict: z.optional(z.nullable(z.boolean())),
  schema: z.optional(z.unknown()),
});
const body = z.looseObject({
  text: z.optional(z.nullable(z.looseObject({ format: z.optional(format) }))),
  response_format: z.optional(z.nullable(z.looseObject({ json_schema: z.optional(format) }))),
});

/** Null where nothing is asked for in strict mode, or all of it is allowed. */
export function findStrictProblem(request: unknown): string | null {
  const parsed = body.safeParse(request);
  if (!parsed.success) return null;
  const asked = parsed.data.text?.format ?? parsed.data.response_format?.json_schema;
  if (asked?.strict !== true) return null;
  const problem = checkRoot(asked.schema);
  if (problem === null) return null;
  return `Invalid schema for response_format '${asked.name ?? "response"}': ${problem}`;
}

type Schema = Readonly<Record<string, unknown>>;

function checkRoot(schema: unknown): string | null {
  if (!isRecord(schema)) return "schema must be a JSON Schema object.";
  if (schema.type !== "object")
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema.type ?? "None")}"'.`;
  return checkSchema(schema, { context: [], depth: 1 });
}

interface SchemaPosition {
  readonly context: readonly string[];
  readonly depth: number;
}

const MAX_DEPTH = 10;

const FORBIDDEN: readonly string[] = [
  ...["allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"],
  ...["patternProperties", "propertyNames", "unevaluatedProperties", "minProperties"],
  ...["maxProperties", "prefixItems", "contains", "uniqueItems", "default"],
];

function checkSchema(schema: Schema, position: SchemaPosition): string | null {
  const say = (problem: string) => `In context=(${describeContext(position.context)}), ${problem}`;
  if (position.depth > MAX_DEPTH) return say(`nesting exceeds ${MAX_DEPTH} levels.`);
  const forbidden = FORBIDDEN.find((keyword) => schema[keyword] !== undefined);
  if (forbidden !== undefined) return say(`'${forbidden}' is not permitted.`);
  return (
    checkObject(schema, say) ??
    firstProblem(
      listInner(schema).map(
        ([words, inner]) =>
          () =>
            isRecord(inner)
              ? checkSchema(inner, {
                  context: [...position.context, ...words],
                  depth: position.depth + (words[0] === "properties" ? 1 : 0),
                })
              : say(`${describeContext(words)} is not a schema.`),
      ),
    )
  );
}

function checkObject(schema: Schema, say: (problem: string) => string): string | null {
  const { type, properties, additionalProperties, required } = schema;
  if (properties === undefined && ![type].flat().includes("object")) return null;
  if (additionalProperties !== false)
    return say("'additionalProperties' is required to be supplied and to be false.");
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const given: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing = names.find((name) => !given.includes(name));
  if (missing !== undefined)
    return say(
      `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    );
  const extra = given.find((name) => !names.includes(String(name)));
  return extra === undefined ? null : say(`Extra required key '${String(extra)}' supplied.`);
}

function listInner(schema: Schema): [words: readonly string[], inner: unknown][] {
  const named = ["properties", "$defs", "definitions"].flatMap((keyword) => {
    const group = schema[keyword];
    const entries = isRecord(group) ? Object.entries(group) : [];
    return entries.map(([name, inner]): [string[], unknown] => [[keyword, name], inner]);
  });
  const choices: readonly unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [
    ...named,
    ...(schema.items === undefined
      ? []
      : [[["items"], schema.items] satisfies [string[], unknown]]),
    ...choices.map((inner, at): [string[], unknown] => [["anyOf", String(at)], inner]),
  ];
}

const firstProblem = (checks: readonly (() => string | null)[]): string | null => {
  for (const check of checks) {
    const problem = check();
    if (problem !== null) return problem;
  }
  return null;
};

/** As Python prints a tuple. */
const describeContext = (context: readonly string[]): string =>
  context.length === 1 ? `'${context[0]}',` : context.map((word) => `'${word}'`).join(", ");
