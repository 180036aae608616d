// What can be proven wrong with a JSON Schema before anybody is asked for an answer that fits it.

import type { JsonValue } from "../../core/command/context.ts";
import { quoteNames } from "../../core/command/names.ts";
import type { JsonSchema } from "./workflow.ts";

/** Why nothing can fit the schema, naming the part of it; null where nothing of that kind is proven. */
export function findContradiction(schema: JsonSchema): string | null {
  return check(schema, "the schema", 0);
}

/** The same for the schema of an answer, which is always an object. */
export function findSchemaProblem(schema: JsonValue): string | null {
  if (!isSchema(schema)) return "a schema is an object";
  const { type } = schema;
  if (type !== "object") return 'the schema must have `type: "object"` at its root';
  return findContradiction(schema);
}

const MAX_DEPTH = 64;
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

function check(schema: JsonValue | undefined, name: string, depth: number): string | null {
  if (schema === false) return `${name} allows nothing`;
  if (!isSchema(schema) || depth > MAX_DEPTH) return null;
  return (
    checkTypes(schema, name) ??
    checkValues(schema, name) ??
    checkBounds(schema, name) ??
    checkObject(schema, name, depth) ??
    checkList(schema, name, depth) ??
    checkBranches(schema, name, depth)
  );
}

/** Undefined where any type is allowed. */
function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  if (typeof type === "string") return [type];
  return isList(type) ? type.filter((one) => typeof one === "string") : undefined;
}

const mayBe = (schema: JsonSchema, ...types: string[]): boolean =>
  typesOf(schema)?.some((type) => types.includes(type)) ?? true;

/** Nothing but this type, so that what its keywords ask for cannot be avoided by another. */
const mustBe = (schema: JsonSchema, ...types: string[]): boolean =>
  typesOf(schema)?.every((type) => types.includes(type)) ?? false;

function checkTypes(schema: JsonSchema, name: string): string | null {
  const types = typesOf(schema);
  if (types === undefined) return null;
  if (types.length === 0) return `${name} allows no type`;
  const unknown = types.find((type) => !TYPES.includes(type));
  return unknown === undefined ? null : `${name} has the type \`${unknown}\`, which JSON has not`;
}

function checkValues(schema: JsonSchema, name: string): string | null {
  const { enum: values, const: only } = schema;
  if (isList(values)) {
    if (values.length === 0) return `${name} has an empty \`enum\``;
    if (!values.some((value) => hasType(schema, value)))
      return `${name} has no value in \`enum\` that is ${listTypes(schema)}`;
    if (only !== undefined && !values.some((value) => isEqual(value, only)))
      return `${name} has a \`const\` that is not in its \`enum\``;
  }
  if (only !== undefined && !hasType(schema, only))
    return `${name} has a \`const\` that is not ${listTypes(schema)}`;
  return null;
}

const listTypes = (schema: JsonSchema): string => quoteNames(typesOf(schema) ?? [], " or ");

const hasType = (schema: JsonSchema, value: JsonValue): boolean =>
  typesOf(schema)?.some((type) => isOfType(type, value)) ?? true;

function isOfType(type: string, value: JsonValue): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isList(value);
  if (type === "object") return isSchema(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

const isEqual = (one: JsonValue, other: JsonValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const BOUNDS = [
  { low: "minimum", high: "maximum", types: ["number", "integer"] },
  { low: "minLength", high: "maxLength", types: ["string"] },
  { low: "minItems", high: "maxItems", types: ["array"] },
  { low: "minProperties", high: "maxProperties", types: ["object"] },
] as const;

function checkBounds(schema: JsonSchema, name: string): string | null {
  for (const { low, high, types } of BOUNDS) {
    const [least, most] = [schema[low], schema[high]];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) continue;
    // Without a type the bounds alone say which one is meant.
    if (typesOf(schema) === undefined || mustBe(schema, ...types))
      return `${name} has \`${low}\` ${least} above \`${high}\` ${most}`;
  }
  return null;
}

function checkObject(schema: JsonSchema, name: string, depth: number): string | null {
  if (!mayBe(schema, "object") || (typesOf(schema)?.length ?? 1) > 1) return null;
  const { required, maxProperties, additionalProperties } = schema;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const wanted = isList(required) ? required.filter((key) => typeof key === "string") : [];
  for (const key of wanted) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (inner === undefined && additionalProperties === false && !isByPattern(schema, key))
      return `${name} requires \`${key}\`, which \`additionalProperties: false\` excludes`;
    const problem = check(inner, nameOf(name, key), depth + 1);
    if (problem !== null) return problem;
  }
  const count = new Set(wanted).size;
  return typeof maxProperties === "number" && count > maxProperties
    ? `${name} requires ${count} keys with \`maxProperties\` ${maxProperties}`
    : null;
}

function isByPattern({ patternProperties }: JsonSchema, key: string): boolean {
  if (!isSchema(patternProperties)) return false;
  return Object.keys(patternProperties).some((pattern) => {
    try {
      return new RegExp(pattern, "u").test(key);
    } catch {
      // A pattern that cannot be read proves nothing.
      return true;
    }
  });
}

function checkList(schema: JsonSchema, name: string, depth: number): string | null {
  const { minItems, items } = schema;
  if (!mustBe(schema, "array") || typeof minItems !== "number" || minItems < 1) return null;
  return check(items, `an entry of ${name}`, depth + 1);
}

function checkBranches(schema: JsonSchema, name: string, depth: number): string | null {
  const { allOf, anyOf, oneOf } = schema;
  if (isList(allOf)) {
    for (const part of allOf) {
      const problem = check(part, name, depth + 1);
      if (problem !== null) return problem;
    }
    const types = [schema, ...allOf.filter(isSchema)]
      .map(typesOf)
      .filter((one) => one !== undefined);
    if (types.length > 1 && !TYPES.some((type) => types.every((one) => allows(one, type))))
      return `${name} wants types at once that exclude each other`;
  }
  for (const branches of [anyOf, oneOf]) {
    if (!isList(branches)) continue;
    const problems = branches.map((branch) => check(branch, name, depth + 1));
    const [first] = problems;
    if (problems.every((problem) => problem !== null)) return first ?? `${name} has no branch`;
  }
  return null;
}

const allows = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

const nameOf = (parent: string, key: string): string =>
  parent === "the schema" ? `\`${key}\`` : `${parent.replace(/`$/, "")}.${key}\``;

const isSchema = (value: JsonValue | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !isList(value);

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);
