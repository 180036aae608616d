// What a stage must deliver: a shape as people write it, or a JSON Schema. Either becomes a JSON Schema.

import { isJsonObject, isRecord } from "../../core/project/json-value.ts";
import type { JsonSchema } from "./workflow.ts";

export type ShapeReading =
  | { readonly kind: "schema"; readonly schema: JsonSchema }
  | {
      readonly kind: "wrong";
      /** From the `output` itself. */
      readonly path: readonly (string | number)[];
      readonly part: "key" | "value";
      readonly problem: string;
      readonly hint?: string;
    };

const TYPE_WORDS = ["string", "number", "integer", "boolean", "null"] as const;
const MAX_DEPTH = 20;

/**
 * `{ approve: boolean, reasons: [string] }`: every key must be there but those that end with `?`; `low|high` is one of these
 * texts. With `type: object` or `$schema` at its root it is a JSON Schema and stays as it is.
 */
export function readOutput(value: unknown): ShapeReading {
  if (!isRecord(value))
    return wrong([], "an output is a map of keys", "name the value: `{ answer: string }`");
  if (value.type === "object" || "$schema" in value) {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return { kind: "schema", schema: isJsonObject(copy) ? copy : {} };
  }
  return readMap(value, []);
}

type ShapePath = readonly (string | number)[];

function readShape(value: unknown, path: ShapePath): ShapeReading {
  if (path.length > MAX_DEPTH) return wrong(path, `it is nested more than ${MAX_DEPTH} deep`);
  if (typeof value === "string") return readWord(value, path);
  if (value === null) return { kind: "schema", schema: { type: "null" } };
  if (isRecord(value)) return readMap(value, path);
  if (!Array.isArray(value)) return wrong(path, unknownShape(String(value)), SHAPE_HINT);
  const [item, ...more]: unknown[] = value;
  if (item === undefined || more.length > 0)
    return wrong(path, "a list has the shape of its entries in it, once", "such as `[string]`");
  const inner = readShape(item, [...path, 0]);
  return inner.kind === "wrong"
    ? inner
    : { kind: "schema", schema: { type: "array", items: inner.schema } };
}

function readMap(map: Readonly<Record<string, unknown>>, path: ShapePath): ShapeReading {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  if (Object.keys(map).length === 0) return wrong(path, "it asks for nothing");
  for (const [key, value] of Object.entries(map)) {
    const name = key.endsWith("?") ? key.slice(0, -1) : key;
    if (name === "" || Object.hasOwn(properties, name))
      return wrong([...path, key], `the key \`${key}\` names nothing new`, undefined, "key");
    const inner = readShape(value, [...path, key]);
    if (inner.kind === "wrong") return inner;
    properties[name] = inner.schema;
    if (name === key) required.push(name);
  }
  return {
    kind: "schema",
    schema: { type: "object", properties, required, additionalProperties: false },
  };
}

const isTypeWord = (word: string): boolean => TYPE_WORDS.some((type) => type === word);

function readWord(text: string, path: ShapePath): ShapeReading {
  const words = text.split("|").map((word) => word.trim());
  const types = words.filter(isTypeWord);
  if (types.length === words.length) {
    const [only] = types;
    return {
      kind: "schema",
      schema: { type: types.length === 1 && only !== undefined ? only : types },
    };
  }
  // One word alone that is no type is far more likely misspelt than the only text allowed.
  if (types.length > 0 || words.length === 1 || words.includes(""))
    return wrong(path, unknownShape(text), SHAPE_HINT);
  return { kind: "schema", schema: { type: "string", enum: words } };
}

const unknownShape = (text: string): string => `\`${text}\` is no shape`;
const SHAPE_HINT =
  "known are `string`, `number`, `integer`, `boolean`, `[shape]`, maps of them, and texts such as `low|high`";

const wrong = (
  path: ShapePath,
  problem: string,
  hint?: string,
  part: "key" | "value" = "value",
): ShapeReading => ({
  kind: "wrong",
  path,
  part,
  problem,
  ...(hint === undefined ? {} : { hint }),
});
