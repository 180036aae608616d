// Reading an agent's JSON. Agents change their output without notice, so every field is asked for
// what it should be and is null when it is something else; nothing is assumed and nothing throws.

export type JsonRecord = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonRecord = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : NO_FIELDS);

export const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : NO_ITEMS;

export const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** A text that says something; the empty one says nothing. */
export const asName = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const asCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

export const asAmount = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

export const asFlag = (value: unknown): boolean | null =>
  typeof value === "boolean" ? value : null;

/** An ISO text or milliseconds since the epoch, as ISO 8601 in UTC. */
export function asTimestamp(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
