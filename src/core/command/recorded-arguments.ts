// How the arguments of commands enter the record: as shapes, unless their schema says that they are plain.
import { maskSecrets } from "../secrets/mask.ts";
import type { JsonValue } from "./context.ts";
import type { ArgumentSchema, ArgumentsSchema } from "./definition.ts";

/**
 * Arguments enter the record as shapes, unless the schema says a field is plain: `string(23)`, `number`, `array(3)`
 * are enough to recognise a call, and nothing is to be learnt from them.
 */
export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `string(${value.length})`;
  if (Array.isArray(value)) return `array(${value.length})`;
  if (typeof value === "object") return `object(${Object.keys(value).length})`;
  return typeof value;
}

/** A field that is marked both ways is a secret. */
const isPlain = (property: ArgumentSchema | undefined): boolean =>
  property?.plain === true && property.secret !== true;

const isPlainValue = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const maskPlain = (value: string | number | boolean): JsonValue =>
  typeof value === "string" ? maskSecrets(value) : value;

/** Only keys the schema knows are named: an unknown key may itself be a secret. */
export function shapeArguments(
  schema: ArgumentsSchema,
  args: Readonly<Record<string, unknown>>,
): Record<string, JsonValue> {
  const shapes: Record<string, JsonValue> = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const value = args[key];
    if (value === undefined) continue;
    if (isPlain(property) && isPlainValue(value)) shapes[key] = maskPlain(value);
    else if (isPlain(property) && Array.isArray(value) && value.every(isPlainValue))
      shapes[key] = value.map(maskPlain);
    else shapes[key] = shapeOf(value);
  }
  return shapes;
}

/** Every text in the arguments that must not appear in saved text. */
export function privateTexts(schema: ArgumentsSchema | null, args: unknown): string[] {
  if (typeof args === "string") return [args];
  if (typeof args === "number" || typeof args === "bigint") return [String(args)];
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).flatMap(([key, value]) =>
    isPlain(schema?.properties?.[key]) ? [] : privateTexts(null, value),
  );
}
