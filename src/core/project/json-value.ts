// JSON and what is made of it. What comes from outside is `unknown`, so whoever reads a value asks what it is.
import type { JsonValue } from "../command/context.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonRecord = Object.freeze({});

/** The value of a text that should be JSON, undefined where it is none; whoever asks checks what the value is. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The JSON that a text is, else the text itself: after `name=` a person types either. */
export function jsonOrText(text: string): JsonValue {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** The object that a text is as JSON, null where it is none. */
export function parseJsonObject(text: string): JsonRecord | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : NO_FIELDS);

/** Of a value that is known to be JSON: then its fields are JSON, too. */
export const isJsonObject = (value: unknown): value is { readonly [key: string]: JsonValue } =>
  isRecord(value);

export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** A text as it is, anything else as JSON; what JSON does not have is empty. */
export const textOrJson = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

export const dropUndefined = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** The same JSON value with every text in it changed, but for the names of its fields. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value;
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, map));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, map)]));
}

/** JSON that is the same text in whatever order the fields were written. */
export const writeSorted = (value: unknown): string => JSON.stringify(value, sortFields);

const sortFields = (_name: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Freezes a value and all it holds: records that are handed out must stay what they were. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key in value) {
    const part = value[key];
    if (typeof part === "object" && part !== null) freezeDeep(part);
  }
  return Object.freeze(value);
}
