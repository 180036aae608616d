// JSON Schemas as OpenAI's strict mode takes them: every property required, nothing beside them, and only keywords that it
// knows. What was optional becomes nullable; whoever reads the answer drops those nulls again.

import type { JsonValue } from "../../core/command/context.ts";
import { isJsonObject } from "../../core/project/json-value.ts";

type Schema = { readonly [key: string]: JsonValue };

/** Kept as they are. Whatever else a schema says is checked afterwards, against the schema itself. */
const KEPT: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "description", "title", "$ref"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "pattern"],
]);

/** Without these a schema means something else, and strict mode has no words for them. */
const UNTRANSLATABLE: readonly string[] = [
  ...["allOf", "not", "if", "then", "else", "patternProperties", "propertyNames"],
  ...["dependentRequired", "dependentSchemas", "prefixItems", "contains"],
];

class Untranslatable extends Error {}

/** Null where strict mode cannot say it: an object of any keys, a root that is none, conditions. */
export function toStrictSchema(schema: Schema): Schema | null {
  try {
    const strict = translate(schema);
    return strict.type === "object" ? strict : null;
  } catch (error) {
    if (error instanceof Untranslatable) return null;
    throw error;
  }
}

function translate(schema: Schema): Schema {
  if (UNTRANSLATABLE.some((keyword) => schema[keyword] !== undefined)) throw new Untranslatable();
  const kept = Object.entries(schema).filter(([keyword]) => KEPT.has(keyword));
  return {
    ...Object.fromEntries(kept),
    ...translateChoices(schema),
    ...(isObjectSchema(schema) ? translateObject(schema) : {}),
    ...(schema.items === undefined ? {} : { items: translateValue(schema.items) }),
    ...translateDefinitions(schema),
  };
}

const translateValue = (value: JsonValue): Schema => {
  if (!isJsonObject(value)) throw new Untranslatable();
  return translate(value);
};

const isObjectSchema = ({ type, properties }: Schema): boolean =>
  properties !== undefined || [type].flat().includes("object");

function translateObject(schema: Schema): Schema {
  const { properties, additionalProperties } = schema;
  // A map of any keys is what strict mode cannot have.
  if (!isJsonObject(properties) || isJsonObject(additionalProperties)) throw new Untranslatable();
  const required = requiredOf(schema);
  const strict = Object.entries(properties).map(([name, value]) => {
    const translated = translateValue(value);
    return [name, required.has(name) ? translated : makeNullable(translated)] as const;
  });
  return {
    type: schema.type ?? "object",
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const requiredOf = ({ required }: Schema): ReadonlySet<JsonValue> =>
  new Set(Array.isArray(required) ? required : []);

function makeNullable(schema: Schema): Schema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (type === undefined || schema.const !== undefined)
    return { anyOf: [schema, { type: "null" }] };
  const types = [type].flat();
  if (types.includes("null")) return schema;
  return {
    ...schema,
    type: [...types, "null"],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function translateChoices({ anyOf, oneOf }: Schema): Schema {
  const choices = anyOf ?? oneOf;
  if (choices === undefined) return {};
  if (!Array.isArray(choices)) throw new Untranslatable();
  return { anyOf: choices.map(translateValue) };
}

function translateDefinitions(schema: Schema): Schema {
  const named = ["$defs", "definitions"].flatMap((keyword) => {
    const value = schema[keyword];
    if (!isJsonObject(value)) return [];
    const definitions = Object.entries(value).map(([name, one]) => [name, translateValue(one)]);
    return [[keyword, Object.fromEntries(definitions)]];
  });
  return Object.fromEntries(named);
}

/** Drops the nulls that stand for what was left out; null where the schema itself allows it stays. */
export function dropNulls(value: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, schema.items));
  if (!isJsonObject(value)) return value;
  const { properties } = schema;
  if (!isJsonObject(properties)) return value;
  const required = requiredOf(schema);
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const own = properties[name];
    const isAbsent = item === null && !required.has(name) && !allowsNull(own);
    return isAbsent ? [] : [[name, dropNulls(item, own)] as const];
  });
  return Object.fromEntries(kept);
}

function allowsNull(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, enum: values, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return values.includes(null);
  const choices = [anyOf ?? oneOf ?? []].flat();
  return [type].flat().includes("null") || choices.some(allowsNull);
}
