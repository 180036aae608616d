// Keywords about single values. Each holds for values of its own kind only, as the standard has it.
import { isDeepStrictEqual } from "node:util";
import { FORMATS } from "./formats.ts";
import type { Rule } from "./mismatch.ts";

const isType = (type: unknown, value: unknown): boolean => {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
};

const aboutNumbers =
  (problem: string, holds: (value: number, bound: number) => boolean): Rule =>
  (wanted, value) =>
    typeof value !== "number" || holds(value, Number(wanted)) ? null : `${problem} ${wanted}`;

const aboutTexts =
  (problem: string, holds: (value: string, wanted: unknown) => boolean): Rule =>
  (wanted, value) =>
    typeof value !== "string" || holds(value, wanted) ? null : `${problem} ${wanted}`;

/** Binary fractions: 0.3 is a multiple of 0.1 for whoever wrote the schema. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

const lengthOf = (text: string): number => [...text].length;

export const VALUE_RULES: Readonly<Record<string, Rule>> = {
  type: (wanted, value) =>
    [wanted].flat().some((type) => isType(type, value))
      ? null
      : `must be of type ${[wanted].flat().join(" or ")}`,
  const: (wanted, value) =>
    isDeepStrictEqual(wanted, value) ? null : `must be ${JSON.stringify(wanted)}`,
  enum: (wanted, value) =>
    Array.isArray(wanted) && wanted.some((one) => isDeepStrictEqual(one, value))
      ? null
      : `must be one of ${JSON.stringify(wanted)}`,
  minimum: aboutNumbers("must be at least", (value, bound) => value >= bound),
  maximum: aboutNumbers("must be at most", (value, bound) => value <= bound),
  exclusiveMinimum: aboutNumbers("must be above", (value, bound) => value > bound),
  exclusiveMaximum: aboutNumbers("must be below", (value, bound) => value < bound),
  multipleOf: aboutNumbers("must be a multiple of", isMultiple),
  minLength: aboutTexts(
    "must be at least so long:",
    (text, least) => lengthOf(text) >= Number(least),
  ),
  maxLength: aboutTexts("must be at most so long:", (text, most) => lengthOf(text) <= Number(most)),
  pattern: aboutTexts("must match", (text, pattern) => new RegExp(String(pattern), "u").test(text)),
  format: aboutTexts("must be a", (text, format) => FORMATS[String(format)]?.(text) ?? false),
};
