// The parts of OTLP in its JSON form: ids in hex, 64-bit numbers as text, kinds and codes as numbers.
import { createHash } from "node:crypto";

export type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AttributeValue[] } };

export interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}

export interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export const KIND_INTERNAL = 1;
export const STATUS_ERROR = 2;

type Plain = string | number | readonly string[];

/** What is not known has no attribute. */
export const listAttributes = (
  values: Readonly<Record<string, Plain | null | undefined>>,
): readonly Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: writeValue(value) }],
  );

function writeValue(value: Plain): AttributeValue {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value !== "number") return { arrayValue: { values: value.map(writeValue) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** The same name gives the same id, so that exporting a run twice gives the same spans. */
export const idOf = (name: string, bytes: 8 | 16): string =>
  createHash("sha256")
    .update(name)
    .digest("hex")
    .slice(0, bytes * 2);

/** The last millisecond whose nanoseconds fit 64 bits, in the year 2554. */
const LAST_MILLISECOND = 18_446_744_073_708;

/** Milliseconds since the epoch as nanoseconds, within what the format can say. */
export function writeNanoseconds(milliseconds: number): string {
  const within = Math.min(Math.max(milliseconds, 0), LAST_MILLISECOND);
  const whole = Math.floor(within);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((within - whole) * 1e6)));
}
