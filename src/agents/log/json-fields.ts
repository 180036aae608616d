// Reading an agent's JSON. Agents change their output without notice, so every field is asked for
// what it should be and is null when it is something else; nothing is assumed and nothing throws.
import { isRecord } from "../../core/project/json-value.ts";
import { type ExactValues, maskNamed, maskSecrets } from "../../core/secrets/mask.ts";

const NO_ITEMS: readonly unknown[] = Object.freeze([]);

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
  if (typeof value === "number") return formatTime(value);
  if (typeof value !== "string") return null;
  return isUtc(value) ? value : formatTime(Date.parse(value));
}

// Days that every month has: anything else goes the long way and is checked there.
const UTC =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

let knownSecond = "";

/** Reading a date costs more than all else about a line, and most lines of a second come together. */
function isUtc(text: string): boolean {
  if (text.length !== 24) return false;
  if (knownSecond !== "" && text.startsWith(knownSecond)) return endsInMilliseconds(text);
  if (!UTC.test(text)) return false;
  knownSecond = text.slice(0, 20);
  return true;
}

const ZERO = "0".charCodeAt(0);

function endsInMilliseconds(text: string): boolean {
  for (let at = 20; at < 23; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return text.endsWith("Z");
}

const MAX_TIME = 8_640_000_000_000_000;

let formattedSecond = Number.NaN;
let formattedPrefix = "";

function formatTime(milliseconds: number): string | null {
  if (!(Math.abs(milliseconds) <= MAX_TIME)) return null;
  const second = Math.floor(milliseconds / 1000);
  if (second !== formattedSecond) {
    formattedPrefix = new Date(second * 1000).toISOString().slice(0, -4);
    formattedSecond = second;
  }
  const rest = Math.floor(milliseconds - second * 1000);
  return `${formattedPrefix}${String(rest).padStart(3, "0")}Z`;
}

/** The same JSON value with the secrets in it masked, also those that only the name of their field betrays. */
export function maskTexts<Value>(value: Value, secrets: ExactValues): Value;
export function maskTexts(value: unknown, secrets: ExactValues): unknown {
  if (typeof value === "string") return maskSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((part) => maskTexts(part, secrets));
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => {
    const masked = maskTexts(part, secrets);
    return [key, typeof masked === "string" ? maskNamed(key, masked) : masked] as const;
  });
  return Object.fromEntries(parts);
}
